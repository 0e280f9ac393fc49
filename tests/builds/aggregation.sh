# A new aggregating function, added as docs/adding.md says, needs changes in only three files of
# code, and works in every output format. tests/recipes/aggregation.edit adds bitor(), the bitwise
# or of its arguments.
. tests/builds/lib.bash
old=$PWD
# The release build of this tree has most of the objects already. So the test changes the tree in
# place, but in an overlay that no other process sees.
release=$(dirname "$(realpath "${DTRACE_PLAIN:-/}")")
if [ -z "${OVERLAY:-}" ] && [[ $release = "$PWD"/* ]] && unshare -m true 2>/dev/null &&
	grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$release/CMakeCache.txt"; then
	OVERLAY=$(mktemp -d)
	trap 'rm -rf "$OVERLAY"' EXIT
	export OVERLAY
	unshare -m --propagation private bash "$0"
	exit
fi
if [ -n "${OVERLAY:-}" ]; then
	mkdir "$OVERLAY"/{old,memory} && mount --bind "$PWD" "$OVERLAY/old" && mount -t tmpfs none "$OVERLAY/memory" &&
		mkdir "$OVERLAY"/memory/{new,work} &&
		mount -t overlay -o "lowerdir=$PWD,upperdir=$OVERLAY/memory/new,workdir=$OVERLAY/memory/work" none "$PWD" || exit 1
	copy=$PWD old=$OVERLAY/old
	cd "$copy" || exit 1
else
	copy=$(mktemp -d)
	trap 'rm -rf "$copy"' EXIT
	tar -c --exclude='./build*' --exclude=./.git . | tar -x -C "$copy"
fi
python3 -B tests/recipes/apply.py tests/recipes/aggregation.edit "$copy" || exit 1
changed=$(diff -rq --exclude='build*' --exclude=.git --exclude=docs --exclude=tests "$old" "$copy" | wc -l)
[ "$changed" = 3 ] || { echo "$changed files of the code were changed"; exit 1; }

if [ -n "${OVERLAY:-}" ]; then
	dir=$release
	# Compiles the new objects with less optimisation, which is faster. Each file of flags keeps its
	# time, or make would compile all objects again.
	find "$release" -name flags.make | while read -r f; do
		touch -r "$f" "$OVERLAY/time"
		sed -i 's/-O3/-O1/' "$f"
		touch -r "$OVERLAY/time" "$f"
	done
	make_targets "$dir" || exit 1
else
	DTRACE_BUILD=$copy/build
	mkdir "$DTRACE_BUILD"
	cd "$copy" || exit 1
	build new -DBUILD_TESTING=OFF
fi
export DTRACE=$dir/dtrace DTRACE_TOP=$copy

# Tests every output format, --merge and --diff, with numbers that are hard to divide.
bash tests/cli/aggregations/forms.sh || exit 1

# Checks the values of bitor() in the outputs and with each option that combines or clears them.
. tests/cli/lib.bash
program='BEGIN { @b = bitor(5); @b = bitor(8); @k["x"] = bitor(16); @k["x"] = bitor(3); @k["y"] = bitor(1); @z = bitor(0); exit(0); }'
succeeds -qr $pcap -n "$program"
out $'\n               13\n  y                                                                 1\n  x                                                                19\n                0'
succeeds -qr $pcap -x oformat=json -n "$program"
out_has '"name":"k","function":"bitor","value":19'
succeeds -qr $pcap -x oformat=csv -n "$program"
out_has '^x,19$'
succeeds -qr $pcap -O -x oformat=xml -n "$program"
out_has '<bitor>19</bitor>'
succeeds -qr $pcap -x oformat=prometheus -n "$program"
out_has '^dtrace_k\{key1="x"\} 19$'
out_has '^# TYPE dtrace_k gauge$'
succeeds -qr $pcap -x oformat=folded -n "$program"
out_has '^x 19$'
for form in flame hist-svg time-svg; do
	succeeds -qr $pcap -x oformat=$form -n "$program"
	out_has '19'
done

# --merge combines two files, values before clear() do not count again, and three processes share a
# capture.
succeeds -qr $pcap -x aggout="$tmp/1" -n 'BEGIN { @k["x"] = bitor(16); }'
succeeds -qr $pcap -x aggout="$tmp/2" -n 'BEGIN { @k["x"] = bitor(3); }'
succeeds -x anyprogram --merge "$tmp/1" "$tmp/2"
out $'\n  x                                                                19'
succeeds -x anyprogram --diff -x oformat=csv "$tmp/1" "$tmp/2"
out_has '^x,16,3,-13$'
succeeds -qr $pcap -n 'BEGIN { @k["x"] = bitor(16); clear(@k); } END { @k["x"] = bitor(3); }'
out $'\n  x                                                                 3'
all='udp:::send { @[args[2]->ip_saddr] = bitor(args[4]->udp_dport); }'
succeeds -qr $pcap -n "$all"
cp "$out" "$tmp/one"
succeeds -qr $pcap -x jobs=3 -n "$all"
equal 'three processes give the output of one process' "$tmp/one" "$out"

# The screen, in a terminal of its own. The key q ends it.
checks=$((checks + 1))
(sleep 3; printf q) | TERM=xterm timeout 60 script -qc "stty rows 24 cols 80; $DTRACE -r $pcap -x view=top -n '$all'" /dev/null >"$tmp/screen"
grep -q 'bitor()' "$tmp/screen" || wrong 'the screen does not show the aggregation'
finish
