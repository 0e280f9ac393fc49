# -x aggout, --merge and --diff: merge the aggregations of several runs, and compare two runs.
. tests/cli/lib.bash
all='ip:::receive { @n = count(); @c[args[2]->ip_saddr] = count(); @s[args[2]->ip_ver, args[2]->ip_daddr] = sum(args[2]->ip_plength);
	@lo = min(args[2]->ip_plength); @hi[args[2]->ip_saddr] = max(args[2]->ip_plength); @av = avg(args[2]->ip_plength);
	@sd[args[2]->ip_saddr] = stddev(args[2]->ip_plength); @q[args[2]->ip_daddr] = quantize(args[2]->ip_plength);
	@lq = lquantize(args[2]->ip_plength, 0, 100, 10); @ll[args[2]->ip_ver] = llquantize(args[2]->ip_plength, 10, 0, 3, 10);
	@neg[-(int)args[2]->ip_plength] = count(); @w[stack()] = count() } END { normalize(@s, 2) }'

# --merge of one run's file prints what the run printed: every function, with numbers and strings as
# keys.
what='--merge of one file'
for f in connections sessions; do
	run -q -r tests/pcap/$f.pcap -x aggout="$tmp/$f" -n "$all"
	status 0
	cp "$out" "$tmp/$f.out"
	run -q --merge "$tmp/$f"
	status 0
	out "$(cat "$tmp/$f.out")"
	err ''
done

# --merge adds up two files. It counts a file that is given twice only once.
count='ip:::receive { @[args[2]->ip_saddr] = count(); @a = avg(args[2]->ip_plength); @m = max(args[2]->ip_plength) }'
for f in udp frags; do
	run -q -r tests/pcap/$f.pcap -x aggout="$tmp/$f" -n "$count"
	status 0
done
both=$(cat tests/pcap/udp.pcap <(tail -c +25 tests/pcap/frags.pcap) | timeout 300 "$DTRACE" -q -r - -n "$count" 2>/dev/null)
run -q --merge "$tmp/udp" "$tmp/frags"
out "$both"
run -q --merge "$tmp/udp" "$tmp/frags" "$tmp/udp"
out "$both"
run --merge -x oformat=json "$tmp/udp"
out_has '"name":"a","function":"avg","value":[0-9]+'

# An existing file keeps its contents until the run ends, and keeps its owner and mode. The name may
# be a symbolic link. A pipe is written to directly.
what='a file that exists already'
run -q -r tests/pcap/udp.pcap -x aggout="$tmp/kept" -n "$count"
cp "$tmp/kept" "$tmp/before"
echo other >"$tmp/kept.new"
owner=$(id -u)
[ "$owner" != 0 ] || { owner=12345 && chown $owner "$tmp/kept"; }
chmod 664 "$tmp/kept"
ln -s kept "$tmp/link"
run -qw -x confine=off -r tests/pcap/frags.pcap -x aggout="$tmp/link" -n "$count BEGIN { system(\"cp $tmp/kept $tmp/during\"); }"
status 0
equal 'the file has its old contents during the run' "$tmp/before" "$tmp/during"
run -q --merge "$tmp/frags"
cp "$out" "$tmp/frags.out"
run -q --merge "$tmp/kept"
equal 'the file has the new contents after the run' "$tmp/frags.out" "$out"
checks=$((checks + 2))
[ "$(stat -c '%a %u' "$tmp/kept") $(readlink "$tmp/link")" = "664 $owner kept" ] || wrong "$(ls -l "$tmp/kept" "$tmp/link")"
[ "$(cat "$tmp/kept.new")" = other ] || wrong 'a file with another name was overwritten'
chmod 600 "$tmp/kept"
run -q -r tests/pcap/udp.pcap -x aggout="$tmp/kept" -n "$count"
checks=$((checks + 1))
[ "$(stat -c %a "$tmp/kept")" = 600 ] || wrong "$(ls -l "$tmp/kept")"
what='a link to a file that does not exist yet'
mkdir "$tmp/to"
ln -s to/nothing "$tmp/first"
ln -s first "$tmp/second"
run -q -r tests/pcap/frags.pcap -x aggout="$tmp/second" -n "$count"
status 0
run -q --merge "$tmp/to/nothing"
equal 'the file at the end of the link' "$tmp/frags.out" "$out"
checks=$((checks + 1))
[ "$(readlink "$tmp/second" "$tmp/first" | xargs)" = 'first to/nothing' ] || wrong "$(ls -l "$tmp")"
if unshare -m true 2>/dev/null; then
	what='a file whose name is a mount'
	run -q -r tests/pcap/udp.pcap -x aggout="$tmp/mounted" -n "$count"
	unshare -m sh -c 'mount --bind "$1" "$1" && exec timeout 300 "$DTRACE" -q -r tests/pcap/frags.pcap -x aggout="$1" -n "$2"' \
		mounts "$tmp/mounted" "$count" >/dev/null || wrong "status $?"
	run -q --merge "$tmp/mounted"
	equal 'is written to' "$tmp/frags.out" "$out"
fi
what='a name in /proc/self/fd'
exec 7<>"$tmp/gone"
rm "$tmp/gone"
run -q -r tests/pcap/frags.pcap -x aggout=/dev/fd/7 -n "$count"
status 0
cat /dev/fd/7 >"$tmp/read"
exec 7>&-
run -q --merge "$tmp/read"
equal 'an open file that has been removed has the aggregations' "$tmp/frags.out" "$out"
"$DTRACE" -q -r tests/pcap/frags.pcap -x aggout=/dev/stdout -x aggoutonly \
	-n "$count END { printf(\"said\\n\"); }" >"$tmp/both"
checks=$((checks + 1))
[ "$(head -n 1 "$tmp/both")" = said ] || wrong 'the printed line is lost'
sed 1d "$tmp/both" >"$tmp/read"
run -q --merge "$tmp/read"
equal 'the output after the printed line has the aggregations' "$tmp/frags.out" "$out"
what='a pipe'
timeout 300 "$DTRACE" -q -r tests/pcap/frags.pcap -x aggout=/dev/stdout -x aggoutonly -n "$count" | cat >"$tmp/piped"
run -q --merge "$tmp/piped"
equal 'what dtrace writes to the pipe' "$tmp/frags.out" "$out"
fails "^dtrace: failed to set -x aggoutrate: '/dev/null' is not a regular file, so it cannot be replaced$" -q -r tests/pcap/frags.pcap -x aggout=/dev/null -x aggoutrate=1s -n "$count"

# These output forms omit the aggregations that a run prints at its end. With --merge they show
# them.
for form in libxo-json xml html; do
	run --merge -x oformat=$form "$tmp/udp"
	status 0
	out_has '192\.0\.2\.1'
done
for x in view=top listen=9090; do
	fails "^dtrace: failed to set -x ${x%=*}: it does not apply to --diff$" --diff -x $x "$tmp/udp" "$tmp/udp"
done

# --diff omits equal rows and shows the largest difference first.
one='BEGIN { @c["same"] = sum(5); @c["less"] = sum(10); @c["gone"] = sum(1); @q["x"] = quantize(8); @q["y"] = quantize(1); exit(0) }'
two='BEGIN { @c["same"] = sum(5); @c["less"] = sum(4); @c["new"] = sum(3); @q["x"] = quantize(64); @q["y"] = quantize(1); exit(0) }'
sed_digest() { # gives the second file the digest of the first, because --diff refuses files of different programs
	python3 - "$1" "$2" <<'P'
import sys
a, b = open(sys.argv[1], 'rb').read(), bytearray(open(sys.argv[2], 'rb').read())
b[8:16] = a[8:16]
h = 0xcbf29ce484222325
for c in b[:-8]:
    h = (h ^ c) * 0x100000001b3 & 0xffffffffffffffff
b[-8:] = h.to_bytes(8, 'little')
open(sys.argv[2], 'wb').write(b)
P
}
run -q -r $pcap -x aggout="$tmp/one" -n "$one"
run -q -r $pcap -x aggout="$tmp/two" -n "$two"
run --diff "$tmp/one" "$tmp/two"
status 1
err "dtrace: $tmp/one and $tmp/two come from different programs with the same aggregations; -x anyprogram accepts them"
cp "$tmp/two" "$tmp/other"
sed_digest "$tmp/one" "$tmp/two"
run --diff "$tmp/one" "$tmp/two"
status 0
out '@c: sum                                          before        after       change
  less                                               10            4           -6    -60.0%
  new                                                 -            3           +3       new
  gone                                                1            -           -1      gone

@q: quantize
  x                                        distance 1.000
           value  before               count  after                count
               8 |@@@@@@@@@@@@@@@@         1 |                         0
              16 |                         0 |                         0
              32 |                         0 |                         0
              64 |                         0 |@@@@@@@@@@@@@@@@         1
'
# -x anyprogram compares files of different programs. If one program lacks an aggregation of the
# other, that is an error.
cp "$out" "$tmp/text"
succeeds --diff -x anyprogram "$tmp/one" "$tmp/other"
equal 'the merged output equals that of one program' "$tmp/text" "$out"
fails 'come from different programs: @c is not in both$' --diff -x anyprogram "$tmp/one" "$tmp/udp"

# Other output forms show the same differences.
succeeds --diff -x oformat=csv "$tmp/one" "$tmp/two"
out 'key1,@c_before,@c_after,@c_change
less,10,4,-6
new,,3,3
gone,1,,-1

key1,@q_distance,@q_min,@q_max,@q_before,@q_after
x,1.000,8,15,1,0
x,1.000,64,127,0,1'
succeeds --diff -x oformat=json "$tmp/one" "$tmp/two"
out '{"type":"difference","name":"c","function":"sum","keys":{"key1":"less"},"before":10,"after":4,"change":-6}
{"type":"difference","name":"c","function":"sum","keys":{"key1":"new"},"before":null,"after":3,"change":3}
{"type":"difference","name":"c","function":"sum","keys":{"key1":"gone"},"before":1,"after":null,"change":-1}
{"type":"difference","name":"q","function":"quantize","keys":{"key1":"x"},"distance":1,"buckets":[{"min":8,"max":15,"before":1,"after":0},{"min":64,"max":127,"before":0,"after":1}]}'
# In every form keys have the same names, and layout strings are left out.
for v in 1 2; do
	succeeds -q -r $pcap -x aggout="$tmp/layout$v" -n "BEGIN { s = strjoin(\"a\", \"b\"); @c[s, \" -> \", 7, s] = sum($v); exit(0) }"
done
succeeds --diff -x anyprogram -x oformat=csv "$tmp/layout1" "$tmp/layout2"
out 's,key3,s_2,@c_before,@c_after,@c_change
ab,7,ab,1,2,1'
succeeds --diff -x anyprogram -x oformat=json "$tmp/layout1" "$tmp/layout2"
out_has '"keys":{"s":"ab","key3":7,"s_2":"ab"},"before":1,"after":2,'
for form in html prometheus hist-svg; do
	run --diff -x oformat=$form "$tmp/one" "$tmp/two"
	status 1
	err "dtrace: --diff prints text, csv or json (-x oformat), not $form"
done

# The smallest possible count also has a bar.
run -q -r $pcap -x aggout="$tmp/least" -n 'BEGIN { @ = quantize(1, -9223372036854775807); exit(0) }'
run -q -r $pcap -x aggout="$tmp/most" -n 'BEGIN { @ = quantize(1, -9223372036854775807 - 1); exit(0) }'
run --diff -x anyprogram "$tmp/least" "$tmp/most"
status 0
out_has '1 \|@@@@@@@@@@@@@@@@ -9223372036854775807 \|@@@@@@@@@@@@@@@@ -9223372036854775808$'

# A change that does not fit in 64 bits keeps its sign.
run -q -r $pcap -x aggout="$tmp/least" -n 'BEGIN { @ = sum(-9223372036854775807 - 1); exit(0) }'
run -q -r $pcap -x aggout="$tmp/most" -n 'BEGIN { @ = sum(1000); exit(0) }'
run --diff -x anyprogram "$tmp/least" "$tmp/most"
out_has ' -9223372036854775808 +1000 \+9223372036854775807 +\+100.0%$'
run --diff -x anyprogram "$tmp/most" "$tmp/least"
out_has ' 1000 -9223372036854775808 -9223372036854775808 -922337203685477632.0%$'
run --diff -x anyprogram -x oformat=csv "$tmp/most" "$tmp/least"
out_has '^1000,-9223372036854775808,-9223372036854775808$'

# The result of --merge does not depend on the order of files. Where normalize() differs, the raw
# counts are added.
norm='BEGIN { @a = sum(5000); @b = sum(3000); normalize(@b, 10); } END /$1/ { normalize(@a, 1000); }'
run -q -r $pcap -x host=h0 -x aggout="$tmp/norm0" -n "$norm" 0
run -q -r $pcap -x host=h1 -x aggout="$tmp/norm1" -n "$norm" 1
for order in '0 1' '1 0'; do
	read -r x y <<<"$order"
	run -q --merge "$tmp/norm$x" "$tmp/norm$y"
	status 0
	checks=$((checks + 1))
	[ "$(xargs <"$out")" = '10000 600' ] || wrong "$order: $(xargs <"$out")"
	by=(1 1000)
	err "dtrace: normalize() divides @a by ${by[$x]} in $tmp/norm$x and by ${by[$y]} in $tmp/norm$y: the total is not divided"
done
run --diff "$tmp/norm0" "$tmp/norm1"
status 0
err "dtrace: normalize() divides @a by 1 in $tmp/norm0 and by 1000 in $tmp/norm1: each file is divided by its own number"
out_has '5000 +5 +-4995'

# Runs over one capture with different filters are different runs, and --merge adds them.
# A repeated run is counted once, and a message says so.
by_port='ip:::receive { @ = count() }'
declare -A counted
for run in 'udp53 -x port=53' 'udp -x filter=udp' 'v6 -x filter=ip6' 'first -x count=3'; do
	read -r name options <<<"$run"
	# shellcheck disable=SC2086
	run -q -r $pcap $options -x aggout="$tmp/run.$name" -n "$by_port"
	counted[$name]=$(xargs <"$out")
	# shellcheck disable=SC2086
	run -q -r $pcap $options -x oformat=json -x aggout="$tmp/again.$name" -n "$by_port"
done
checks=$((checks + 1))
what='runs over one capture'
[ "${counted[udp53]}" -gt 0 ] && [ "${counted[v6]}" -gt 0 ] && [ "${counted[v6]}" -lt "${counted[udp]}" ] || wrong "${counted[*]}"
run -q --merge "$tmp"/run.*
status 0
err ''
checks=$((checks + 1))
sum=0
for name in "${!counted[@]}"; do
	sum=$((sum + ${counted[$name]:-0}))
done
[ "$(xargs <"$out")" = $sum ] || wrong "$(xargs <"$out"), not $sum"
run -q --merge "$tmp/run.v6" "$tmp/run.udp53" "$tmp/again.v6"
status 0
err "dtrace: $tmp/run.v6 and $tmp/again.v6 are of the same run: $tmp/again.v6 is left out"
checks=$((checks + 1))
[ "$(xargs <"$out")" = $((counted[v6] + counted[udp53])) ] || wrong "$(xargs <"$out")"

# An option that cannot change the counts does not make a different run: --merge counts the repeated
# run once. An option or argument that can change the counts makes a different run.
mkdir "$tmp/libs"
printing='ip:::receive /args[2]->ip_plength > $1/ { @[args[2]->ip_saddr] = count(); printf("%s\n", args[2]->ip_saddr); }'
run -q -r $pcap -x aggout="$tmp/out.text" -n "$printing" 40
for options in '-x oformat=json' '-x oformat=csv' '-x oformat=time-svg' '-x footer' "-x capture=$tmp/out.pcapng" '-x nojit' '-x jobs=3' -F; do
	# shellcheck disable=SC2086
	run -q -r $pcap $options -x aggout="$tmp/out.again" -n "$printing" 40
	run -q --merge "$tmp/out.text" "$tmp/out.again"
	err_has "^dtrace: $tmp/out.text and $tmp/out.again are of the same run: $tmp/out.again is left out$"
done
for options in 'x 41' '-xstrsize=8 40' '-xaggsize=64k 40' '-xfilter=ip 40' '-xport=53 40' '-xduration=1s 40' '-xhost=a 40' \
	'-xspecsize=8k 40' '-xnspec=2 40' '-xscratchsize=1k 40' '-xstackframes=3 40' '-xustackframes=3 40' '-xjstackframes=3 40' \
	'-xlocal=10.0.0.1 40' '-xcount=1000000 40' '-xconns=20 40' '-xbufpolicy=ring 40' "-xlibdir=$tmp/libs 40" "-xpid=1 40"; do
	read -r option argument <<<"$options"
	[ "$option" != x ] || option=-q
	run -q -r $pcap "$option" -x aggout="$tmp/out.other" -n "$printing" "$argument"
	succeeds -q --merge "$tmp/out.text" "$tmp/out.other"
done

run --diff "$tmp/one" "$tmp/one"
status 0
out ''
run --diff "$tmp/connections" "$tmp/sessions"
status 0
out_has '^@n: count '

# If an aggregation of two files cannot be added up, the message names this aggregation.
run -q -r $pcap -x aggout="$tmp/lq1" -n 'BEGIN { @x = lquantize(1, 0, 10, 1); exit(0) }'
run -q -r $pcap -x aggout="$tmp/lq2" -n 'BEGIN { @x = lquantize(1, 0, 10, 2); exit(0) }'
run --merge "$tmp/lq1" "$tmp/lq2"
status 1
err "dtrace: $tmp/lq1 and $tmp/lq2 come from different programs: @x has different parameters"
fails "come from different programs: @x is not in both" --merge "$tmp/lq1" "$tmp/one"

# Damaged files, and files of another kind, are refused.
size=$(stat -c %s "$tmp/one")
for n in 0 7 8 20 $((size / 2)) $((size - 1)); do
	head -c "$n" "$tmp/one" >"$tmp/cut"
	fails "^dtrace: $tmp/cut( is not an aggregation file; -x aggout=FILE writes one| is a damaged or incomplete aggregation file)$" --merge "$tmp/cut"
done
run --merge $pcap
status 1
err "dtrace: $pcap is not an aggregation file; -x aggout=FILE writes one"
# dtrace stops reading a file that never ends.
for how in '--merge' '--merge -x follow -x duration=1s' '--diff /dev/zero'; do
	# shellcheck disable=SC2086
	fails '^dtrace: /dev/zero is not an aggregation file; -x aggout=FILE writes one$' $how /dev/zero
done
head -c 100 "$tmp/one" >"$tmp/long"
truncate -s 3G "$tmp/long"
fails "^dtrace: failed to read $tmp/long: File too large$" --merge "$tmp/long"
# Options that configure a run or its packets are refused with --merge and --diff.
for option in aggout="$tmp/again" aggoutrate=1s capture="$tmp/again" filter=udp; do
	fails "^dtrace: failed to set -x ${option%%=*}: it does not apply to --merge$" --merge -x $option "$tmp/one"
	fails "^dtrace: failed to set -x ${option%%=*}: it does not apply to --diff$" --diff -x $option "$tmp/one" "$tmp/one"
done
[ ! -e "$tmp/again" ] || wrong 'a file was written'
fails '^dtrace: failed to set -x aggoutonly: it does not apply to --diff$' --diff -x aggoutonly "$tmp/one" "$tmp/one"
run -q --merge -x aggoutonly "$tmp/one"
status 0
out ''
run --merge "$tmp/nowhere"
status 1
err "dtrace: failed to read $tmp/nowhere: No such file or directory"
run --merge
status 1
err 'dtrace: --merge needs the names of aggregation files; -x aggout=FILE writes one'
run --diff "$tmp/one"
status 1
err 'dtrace: --diff needs two aggregation files: first the older, then the newer'
run -q -r $pcap -x aggout="$tmp/x" -n 'BEGIN { exit(0) }'
status 1
err 'dtrace: failed to set -x aggout: the program has no aggregations'
run -q -r $pcap -x aggout="$tmp/no/x" -n 'BEGIN { @ = count(); exit(0) }'
status 1
err "dtrace: failed to open '$tmp/no/x' for aggregations: No such file or directory"
finish
