# Pictures of aggregations: well-formed, without overlapping labels, and with the numbers of the
# text form.
. tests/cli/lib.bash
command -v python3 >/dev/null || skip 'no python3'
pcap=tests/pcap/seconds.pcap
program='ip:::receive { @size[args[2]->ip_saddr, "<&\"]]>"] = quantize(args[2]->ip_plength); @lin = lquantize(args[2]->ip_plength, 10, 16, 2);
		@n["packets"] = count(); @bytes["all"] = sum(args[2]->ip_plength); @neg["x"] = sum(-3); @neg["y"] = sum(5);
		@mean = avg(args[2]->ip_plength); @most = max(args[2]->ip_plength); @dev = stddev(args[2]->ip_plength); }
	tick-700ms { clear(@n); trunc(@bytes); clear(@size); }'
picture() { # picture FORM ARGS...: writes the titled parts of the picture to $tmp/said
	local form=$1
	shift
	succeeds -r $pcap -q -x oformat="$form" "$@"
	checks=$((checks + 1))
	cp "$out" "$tmp/$form.svg"
	python3 tests/cli/forms/svg.py "$out" >"$tmp/said" 2>&1 || { wrong 'the picture cannot be read'; head -n 5 "$tmp/said"; }
}
text_is_not_empty() {
	checks=$((checks + 1))
	[ -s "$1" ] || wrong "$1 is empty"
}

# ------------------------------------------------------------------------- hist-svg
plain=${program%%tick-700ms*}
picture hist-svg -n "$plain"
"$DTRACE" -r $pcap -q -n "$plain" >"$tmp/text"
# The expected figures: rows of histograms with a count, and the last number of other rows.
awk '/\|/ && $NF > 0 { l = $0; sub(/\|.*/, "", l); gsub(/^ +| +$/, "", l); print l ": " $NF; next }
	/^ +-?[0-9]+ *$/ { print $1 } /^  [a-z]+ +-?[0-9]+ *$/ { print $1 ": " $2 }' "$tmp/text" | sort >"$tmp/want"
text_is_not_empty "$tmp/want"
sort "$tmp/said" >"$tmp/got2"
text_is figures "$tmp/got2" "$(cat "$tmp/want")"

# ------------------------------------------------------------------------- heat-svg
# Nine packets, two of at least 16 bytes; clear() removes nothing from the heat map.
picture heat-svg -x aggrate=250ms -x unit='packets & "<bytes>"' -n "$program"
text_is 'counts by row' <(awk -F: '{ split($1, a, " at "); n[a[1]] += $2 } END { for (r in n) print r, n[r] }' "$tmp/said" | sort) \
	'10 2
12 2
14 2
16 2
8 7
< 10 1
>= 16 2'
out_has '>packets &amp; &quot;.*</text>$'
# All maps share one colour scale and legend: a cell with count 1 is equally light in small and
# large maps.
picture heat-svg -x aggrate=2s -n 'ip:::receive { @many = lquantize(1, 0, 4, 1); @few["x"] = lquantize(2, 0, 4, 1); }
	ip:::receive { @many = lquantize(1, 0, 4, 1); @many = lquantize(3, 0, 4, 1); @many = lquantize(1, 0, 4, 1); }'
text_is colours <(grep -oE 'fill="#[0-9a-f]+"><title>[0-9]+' "$out" | sort -t'>' -k3 | sed 's/"><title>/ /') 'fill="#40001a 1
fill="#bd0026 2
fill="#bd0026 3'
text_is legends <(grep -c 'count from' "$out") 1
# The picture shows the time zone. It has a title only if the user sets one.
TZ=CET-1 picture heat-svg -x aggrate=1s -n "$program"
out_has '>from 2023-11-14 23:13:20 CET, a column is 1s<'
text_is titles <(grep -c 'class="title"' "$out") 0

# ------------------------------------------------------------------------- time-svg
# Rates times seconds add up to the total, even if the program clears the aggregation.
picture time-svg -x aggrate=250ms -n "$program"
text_is 'totals' <(awk -F': ' '{ split($1, a, " at "); n[a[1]] += $2 * 0.25 } END { for (r in n) print r, n[r] }' "$tmp/said" |
	grep -E '^(packets|all|x|y) ' | sort) 'all 117
packets 9
x -27
y 45'
picture time-svg -x unit=bytes -x aggrate=250ms -n 'ip:::receive { @n = count(); @sum = sum(args[2]->ip_plength); @most = max(1); }'
text_is units <(grep -oE '>(count|bytes|value)(/s)?<' "$out") '>count/s<
>bytes/s<
>bytes<'

# --------------------------------------------------------------------- many, and none
many='BEGIN { n = 0; } tick-1ms /n < 1000/ { @a[n, "a name that is far too long to be shown beside a bar"] = sum(n); @q[n % 20] = quantize(n);
	@l["'$(printf 'x%.0s' {1..200})'"] = lquantize(n, 0, 1000, 10); n++; }'
for form in hist-svg heat-svg time-svg; do
	picture $form -n "$many"
	out_has 'left out'
	picture $form -n 'BEGIN { x = 1; }'
	out_has 'nothing was counted'
	picture $form -x title='A & B <c>' -n 'BEGIN { @[1] = count(); }'
	out_has 'A &amp; B &lt;c&gt;'
done

# ------------------------------------------------------------- hostile names and options
# The keys contain markup, control characters, direction marks, surrogates, invalid UTF-8, and very
# long text.
hostile='BEGIN { @c["<b>&\"", "\033[1m\n\001\177", "\xff\xc3(", "]]>", "\xed\xa0\x80", "\xe2\x80\xae"] = sum(30);
	@l["'$(printf 'x%.0s' {1..250})'"] = sum(1); @q["<b>]]>&\"\033[1m\n\001\177\xff\xe2\x80\xae\xed\xa0\x80"] = quantize(5); }'
for form in flame hist-svg heat-svg time-svg heat; do
	if [ $form = heat ]; then
		succeeds -r $pcap -q -x oformat=heat -x unit=$'\e[1m\xff\x01' -n "$hostile"
	else
		picture $form -x title=$'<i>&"\e[1m\xff\x01]]>'"$(printf 'y%.0s' {1..250})" -x unit=$'<u>&"\e[1m\xff\x01]]>' -n "$hostile"
	fi
	what="$form of hostile names"
	checks=$((checks + 1))
	LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f-\xff]' "$out" && wrong 'the output contains control characters'
	out_has '(\[1m.n.x01.x7f|1m.xff.x01)'
done

# ------------------------------------------------------------------- in characters
for columns in 80 200 20 0; do
	what="a heat map in $columns columns"
	for args in '' '-x encoding=utf8'; do
		# shellcheck disable=SC2086
		COLUMNS=$columns timeout 300 "$DTRACE" -r $pcap -q -x oformat=heat -x aggrate=1ms $args -n "$many" >"$out" 2>"$err"
		status=$?
		status 0
		err ''
		checks=$((checks + 1))
		widest=$(python3 -c 'import sys; print(max(len(l.rstrip("\n")) for l in open(sys.argv[1], encoding="utf-8") if "|" in l))' "$out")
		case $columns in
		80) [ "$widest" -gt 60 ] && [ "$widest" -le 80 ] ;;
		200) [ "$widest" -gt 150 ] && [ "$widest" -le 200 ] ;;
		20) [ "$widest" -le 40 ] ;;
		0) [ "$widest" -le 80 ] ;;
		esac || wrong "$widest columns wide"
		grep -q "$(printf '\033')" "$out" && wrong 'a file contains colours'
	done
done
for rate in 0 100us x -1; do
	run -r $pcap -q -x aggrate=$rate -n BEGIN
	status 1
	err "dtrace: failed to set -x aggrate: Invalid value for specified option"
done

# --------------------------------------------------------------------------- idle samples
# If no clause has fired since the last sample, dtrace repeats the last sample. With a clause that
# fires before each sample, dtrace reads all aggregations each time. Both give the same picture.
for form in heat heat-svg time-svg; do
	for file in $pcap tests/pcap/times.pcap; do
		for rate in 10ms 1ms; do # at 1 ms a column covers several samples
			"$DTRACE" -r $file -q -x oformat=$form -x aggrate=$rate -n "$program tick-$rate { looked = 1; }" >"$tmp/looked" 2>"$err"
			"$DTRACE" -r $file -q -x oformat=$form -x aggrate=$rate -n "$program" >"$out" 2>"$err"
			equal "$form of $file at $rate" "$tmp/looked" "$out"
		done
	done
done
# Only one sample is taken per column. In idle columns, min() and max() cost nothing per key.
python3 - >"$tmp/gaps.pcap" <<-'EOT'
	import struct, sys
	w = sys.stdout.buffer.write
	w(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101))
	for i in range(400):
	    p = struct.pack("!BBHHHBBH4B4B", 0x45, 0, 20, i, 0, 64, 17, 0, 10, 0, i >> 8, i & 255, 192, 0, 2, 1)
	    w(struct.pack("<IIII", 1700000000 + i, 0, len(p), len(p)) + p)
EOT
what='400 addresses, a second apart, at 500us'
timeout 60 "$DTRACE" -r "$tmp/gaps.pcap" -q -x oformat=time-svg -x aggrate=500us -n 'ip:::receive {
	@least[args[2]->ip_saddr] = min(args[2]->ip_plength); @most[args[2]->ip_saddr] = max(args[2]->ip_plength); }' >"$out" 2>"$err"
status=$?
status 0
out_has '392 more keys are left out'
finish
