# lib.bash - shared by the tests under other kernels.
#
# Source it first: it skips the test if no kernel can be downloaded.  The guests (virtual machines)
# run $DTRACE_PLAIN, or $DTRACE if that is not set, from the shared root directory.  A build with
# sanitizers needs seconds to compile a program there.

set -u
VM=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$VM/../results.bash"
DTRACE=$(realpath "${DTRACE_PLAIN:-${DTRACE:?must be the path of the dtrace command}}") || exit 1
export DTRACE LC_ALL=C
T=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$T"' EXIT
trap 'exit 1' INT TERM

kernels=$("$VM/kernels" 2>"$T/why") || skip "$(sed 's/^SKIP: //' "$T/why")"

# Prints the release in the name of a package file: 6.1.0-56-cloud-amd64
release() {
	basename "$1" | sed 's/^linux-image-//; s/_.*//'
}

# helpers NAME...: compiles tests/live/helpers/NAME.c for live tests in guests. In a guest,
# compiling one helper would take half a minute.
helpers() {
	local h
	export HELPERS=$T/helpers
	mkdir -p "$HELPERS"
	for h; do
		cc -std=gnu11 -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wall -Wextra -Werror -pthread \
			-o "$HELPERS/$h" "$VM/../live/helpers/$h.c" || skip "cannot compile $h.c"
	done
}

# under_all NAME COMMAND...: runs COMMAND under all kernels at once, and writes the output to
# $T/NAME.RELEASE. Fails the test if COMMAND fails, and skips the test if no guest boots. In the
# guest, $VM_NUMBER is the number of the kernel, from 0.
under_all() {
	local name=$1 deb r status number=0
	declare -A pid=()
	shift
	for deb in $kernels; do
		r=$(release "$deb")
		"$VM/run" "$deb" env VM_NUMBER=$number DTRACE="$DTRACE" HELPERS="${HELPERS:-}" ASAN_OPTIONS=detect_leaks=0 "$@" >"$T/$name.$r" 2>&1 &
		pid[$r]=$!
		number=$((number + 1))
	done
	for deb in $kernels; do
		r=$(release "$deb")
		wait "${pid[$r]}"
		status=$?
		[ $status != 77 ] || skip "$(sed -n 's/^SKIP: //p' "$T/$name.$r")"
		[ $status != 125 ] || skip "no guest starts here: $(tail -n 1 "$T/$name.$r")"
		[ $status = 0 ] || fail "$r: status $status: $(grep -A 30 FAIL "$T/$name.$r" | head -n 60; tail -n 5 "$T/$name.$r")"
	done
}

