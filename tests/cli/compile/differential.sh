#!/bin/bash
# Random programs print what an independent evaluator computes. The fast and the checked VM replay
# them; as root, the kernel runs them too. The checked VM and the kernel run several programs
# together, which also tests that programs do not share state.
set -u
first=${SEED:-1}
count=${SEEDS:-60}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C
bad=0

differs() { # differs FILE HOW
	echo "seed $(basename "$1"), $2:"
	cat "$1.d" "$tmp/err"
	diff -u "$1.out" "$tmp/got"
	bad=$((bad + 1))
}

run() { # run DIRECTORY HOW ARGUMENTS...
	local dir=$1 how=$2 d

	shift 2
	for d in "$dir"/*.d; do
		timeout 300 "$DTRACE" "$@" -s "$d" >"$tmp/got" 2>"$tmp/err"
		grep -Eq 'at most a million instructions|bytes of stack; the kernel allows' "$tmp/err" && { echo "$(basename "$d"): past a limit of the kernel's"; continue; }
		cmp -s "$tmp/got" "${d%.d}.out" || differs "${d%.d}" "$how"
	done
}

together() { # together WAYS
	tests/fuzz/campaign "$first" "$count" -w "$1" -k "$tmp/differ" && return
	cat "$tmp"/differ/*.d
	bad=$((bad + 1))
}

mkdir "$tmp/plain" "$tmp/packets"
tests/pcap/mkpcap udp "$tmp/udp.pcap" || exit 1
tests/pcap/mkpcap empty "$tmp/empty.pcap" || exit 1
tests/fuzz/dgen "$first" "$count" "$tmp/plain" || exit 1
tests/fuzz/dgen "$first" $((count / 2)) "$tmp/packets" "$tmp/udp.pcap" || exit 1

run "$tmp/plain" "checked VM" -x checked -r "$tmp/empty.pcap"
run "$tmp/packets" "checked VM" -x checked -r "$tmp/udp.pcap"
run "$tmp/packets" "fast VM" -r "$tmp/udp.pcap"
if [ "$(id -u)" = 0 ] && "$DTRACE" -e -x verify -n BEGIN 2>/dev/null; then
	together live,vm
else
	together vm
	echo "SKIP of the runs in the kernel: they need root and a kernel that takes our programs"
	[ "$bad" = 0 ] && exit 77
fi
echo "$count seeds from $first, $bad differences"
[ "$bad" = 0 ]
