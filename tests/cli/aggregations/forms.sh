# Every aggregating function in every output form, with numbers on which an unchecked division would
# trap.
. tests/cli/lib.bash

forms=$("$DTRACE" -x oformat=none -n BEGIN 2>&1 | sed -n 's/.*possible values: //p' | tr -d ,)
functions=$(sed -n 's/^\t\.name = "\(.*\)",$/\1/p' agg/fns.c)
what='forms and functions'
checks=$((checks + 1))
[[ "$forms" == text*json*prometheus*time-svg ]] && [[ $(echo $functions) == count*llquantize* ]] || wrong "$forms: $functions"

call() { # call FUNCTION VALUE
	case $1 in
	count) echo 'count()' ;;
	lquantize) echo "lquantize($2, 0, 100, 10)" ;;
	llquantize) echo "llquantize($2, 10, 0, 2, 10)" ;;
	*) echo "$1($2)" ;;
	esac
}

# If the smallest number is divided by -1, the division overflows, and the number stays the same.
# Counts of histograms can be this number, too.
least='-9223372036854775807 - 1'
program=
for f in $functions; do
	program+="BEGIN { @$f = $(call "$f" "$least"); @${f}_more[\"key\"] = $(call "$f" 7); normalize(@$f, -1); }"
done
for f in quantize lquantize llquantize; do
	c=$(call $f 7)
	program+="BEGIN { @${f}_least = ${c%)}, $least); normalize(@${f}_least, -1); }"
done
for form in $forms; do
	succeeds -q -r $pcap -x oformat=$form -n "$program"
	checks=$((checks + 1))
	[ -s "$out" ] || [ "$form" = html ] || wrong "$form: nothing" # html shows only what printf() prints
done

# Divided by -1, the smallest number stays the same: as the value of sum(), max() and avg(), and as
# the count of a histogram.
succeeds -q -r $pcap -n 'BEGIN { @n = sum(-9223372036854775807 - 1); @x = max(-9223372036854775807 - 1); @m = avg(-9223372036854775807 - 1);
	normalize(@n, -1); normalize(@x, -1); normalize(@m, -1); printa("%@d %@d %@d\n", @n, @x, @m); exit(0); }'
out $'-9223372036854775808 -9223372036854775808 -9223372036854775808\n'
succeeds -q -r $pcap -x oformat=csv -n 'BEGIN { @q = quantize(1, -9223372036854775807 - 1); normalize(@q, -1); exit(0); }'
out $'@q_min,@q_max,@q_count\n1,1,-9223372036854775808'
succeeds -q -r $pcap -x oformat=prometheus -n 'BEGIN { @q = quantize(1, -9223372036854775807 - 1); normalize(@q, -1); exit(0); }'
out_has '^dtrace_q_count -9223372036854775808$'

# --merge and --diff handle files with such numbers.
succeeds -q -r $pcap -x aggout="$tmp/least" -n "$program"
cp "$tmp/least" "$tmp/again"
for form in $forms; do
	run --merge -q -x oformat=$form "$tmp/least"
	status 0
done
run --diff "$tmp/least" "$tmp/again"
status 0

# A Prometheus counter never falls, but sum() may fall, so sum() is a gauge.
succeeds -q -r $pcap -x oformat=prometheus -n 'BEGIN { @c = count(); @s = sum(-1); exit(0); }'
out_has '^# TYPE dtrace_c_total counter$'
out_has '^# TYPE dtrace_s gauge$'
out_has '^dtrace_s -1$'
finish
