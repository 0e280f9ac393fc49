# Suggestions for names with a missing letter, of every kind and in every place: see typos.py.
. tests/cli/lib.bash
plain
export DTRACE
what='misspelt names'
checks=1
python3 tests/cli/compile/typos.py >"$out" || { wrong 'no suggestion'; cat "$out"; }
for program in 'BEGIN { @a = strdev(1); }' 'BEGIN { @a = stdev(1); }' 'BEGIN { @a = stddv(1); }'; do
	DTRACE_OPT_nohint=off run -r $pcap -e -n "$program"
	err_has 'did you mean stddev\( \)\?'
done
finish
