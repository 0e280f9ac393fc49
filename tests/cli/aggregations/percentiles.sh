# -x percentiles prints percentiles below each histogram, in every format: of one run, of merged
# files and of differences.
. tests/cli/lib.bash

# The values are 1 to 100. quantize() counts 64 to 100 in its bucket 64 to 127, and lquantize() counts
# ten values in each bucket.
cat >"$tmp/p.d" <<'EOF'
BEGIN { n = 0; }
ip:::send /n < 100/ { n++; @q = quantize(n); @l["a"] = lquantize(n, 11, 91, 10); @e = llquantize(n, 10, 0, 1, 10); }
EOF
capture=tests/pcap/demo.pcap
of() { run -qr $capture -x percentiles=50,90,99.9 -x oformat="$1" -s "$tmp/p.d"; }

of text
grep -A3 '^             128 ' "$out" | head -4 >"$tmp/q"
printf '%s\n' '             128 |                                         0        ' \
	'             p50 49 (32 to 63)' '             p90 109 (64 to 127)' \
	'           p99.9 126 (64 to 127)' >"$tmp/want"
equal quantize "$tmp/want" "$tmp/q"
grep -A3 '^           >= 91 ' "$out" >"$tmp/l"
printf '%s\n' '           >= 91 |@@@@                                     10       ' \
	'             p50 49 (41 to 50)' '             p90 89 (81 to 90)' '           p99.9 >= 91' >"$tmp/want"
equal lquantize "$tmp/want" "$tmp/l"
has() { grep -Fq -- "$1" "$out" || wrong "$what: no $1"; }
of json
has '"percentiles":[{"percent":50,"value":49,"min":32,"max":63},{"percent":90,"value":109,"min":64,"max":127},{"percent":99.9,"value":126,"min":64,"max":127}]'
has '{"percent":99.9,"value":null,"min":91,"max":null}]'
of csv
has '@q_min,@q_max,@q_count,@q_p50,@q_p50_min,@q_p50_max,@q_p90,@q_p90_min,@q_p90_max,@q_p99.9,@q_p99.9_min,@q_p99.9_max'
has '64,127,37,49,32,63,109,64,127,126,64,127'
has 'a,91,,10,49,41,50,89,81,90,,91,'
sed '$a END { printa(@q); printa(@l); }' "$tmp/p.d" >"$tmp/print.d"
run -qr $capture -x percentiles=50,90,99.9 -x oformat=xml -s "$tmp/print.d"
has '<percentiles><percent>50</percent><value>49</value><min>32</min><max>63</max></percentiles>'
has '<percentiles><percent>99.9</percent><min>91</min></percentiles>'
run -qr $capture -x percentiles=50,90,99.9 -x oformat=libxo-json -s "$tmp/print.d"
has '"percent"'
of prometheus
has '# TYPE dtrace_q_percentile gauge'
has 'dtrace_q_percentile{percent="90"} 109'
has 'dtrace_l_percentile{key1="a",percent="50"} 49'
has 'dtrace_l_percentile{key1="a",percent="99.9"} +Inf'
# Without the option nothing changes.
run -qr $capture -x oformat=json -s "$tmp/p.d"
! grep -q percentile "$out" || wrong 'percentiles are printed without the option'
# With -x aggpack, the line of a key ends with its percentiles.
run -qr $capture -x aggpack -x percentiles=50,99.9 -s "$tmp/p.d"
has '| 100 p50 49 (32 to 63) p99.9 126 (64 to 127)'
# A program can set the option.
run -qr $capture -n 'BEGIN { setopt("percentiles", "25"); } ip:::send { @ = quantize(7); }'
has '             p25 4 (4 to 7)'

# Percentiles of merged files and of compared files.
run -qr $capture -x aggout="$tmp/1" -x aggoutonly -s "$tmp/p.d"
run -qr $capture -x aggout="$tmp/2" -x aggoutonly -s "$tmp/p.d"
run --merge "$tmp/1" "$tmp/2" -x percentiles=50
has '             p50 49 (32 to 63)'

sed 's/n < 100/n < 10/' "$tmp/p.d" >"$tmp/few.d"
run -qr $capture -x aggout="$tmp/3" -x aggoutonly -s "$tmp/few.d"
run --diff "$tmp/3" "$tmp/1" -x percentiles=50 -x anyprogram
has '             p50  '
has '49 (32 to 63)'
run --diff "$tmp/3" "$tmp/1" -x percentiles=50 -x anyprogram -x oformat=json
has '"percentiles":[{"percent":50,"before":{"value":'
has '"after":{"value":49,"min":32,"max":63}}]'
run --diff "$tmp/3" "$tmp/1" -x percentiles=50 -x anyprogram -x oformat=csv
has '@q_before,@q_after,@q_before_p50,@q_before_p50_min,@q_before_p50_max,@q_after_p50,@q_after_p50_min,@q_after_p50_max'
has ',49,32,63'

for list in '' 101 50,x 50, -1 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17; do
	fails '^dtrace: failed to set -x percentiles: Invalid value' -x percentiles="$list" -n BEGIN
done
finish
