# hostile.bash - shared by the tests in hostile/, where root traces while another user runs hostile
# programs.
#
# Source it in place of lib.bash.  dtrace is the plain build: a build with sanitizers has no limits
# of memory and no filter of system calls.  $U is a folder of the other user.

if grep -q __asan_init "${DTRACE:?must be the path of the dtrace command}"; then
	[ -x "${DTRACE_PLAIN:-}" ] || {
		echo "SKIP: only the build with sanitizers is here (\$DTRACE_PLAIN names the other)"
		exit 77
	}
	export DTRACE=$DTRACE_PLAIN
fi
. "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"

HOSTILE_UID=1879048123 # no user has this number
MEMORY_KB=$((256 * 1024))
U=$T/user
mkdir "$U"
chmod 711 "$T"
chown "$HOSTILE_UID:$HOSTILE_UID" "$U"
case $(uname -m) in x86_64) GETPPID=110 ;; *) GETPPID=173 ;; esac

# as_user COMMAND...: runs in the background as the other user; sets $user_pid
as_user() {
	setpriv --pdeathsig KILL --reuid $HOSTILE_UID --regid $HOSTILE_UID --clear-groups "$@" &
	user_pid=$!
}

# compile NAME [FLAGS...]: compiles $U/NAME.c with hostile.h to $U/NAME
compile() {
	local name=$1
	shift
	cc -std=gnu11 -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -I"$LIVE/helpers" \
		-o "$U/$name" "$U/$name.c" "$@" || { fail "no program $name"; finish; }
}

# library NAME [FLAGS...]: builds $U/NAME, a library that is mostly the function victim()
library() {
	local name=$1
	shift
	echo '__asm__(".text\n.globl victim\n.type victim,@function\nvictim:\n.skip 65536\n.size victim, .-victim\n");' \
		>"$T/victim.c"
	[ "$(uname -m)" = x86_64 ] || sed -i 's/@function/%function/' "$T/victim.c"
	cc -shared -nostdlib -Wl,-z,noseparate-code -o "$U/$name" "$T/victim.c" "$@" ||
		{ fail "no library $name"; finish; }
	chown $HOSTILE_UID:$HOSTILE_UID "$U/$name"
}

# mapper FILE...: starts hostile-mapper as the other user; it makes calls with forged frames in
# these files of $U. Sets $user_pid.
mapper() {
	[ -x "$U/hostile-mapper" ] || { helper hostile-mapper && mv "$T/hostile-mapper" "$U/"; }
	as_user sh -c 'cd "$1" && shift && exec ./hostile-mapper "$@"' sh "$U" "$@"
}

# Prints the process $1 and all its descendants.
tree() {
	local p
	echo "$1"
	for p in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
		tree "$p"
	done
}

# memory_peak NAME: every 100 ms while the run NAME lasts, writes to $T/NAME.peak the highest total
# RssAnon of its processes so far, in KB
memory_peak() {
	local kb most=0 files
	echo 0 >"$T/$1.peak"
	while kill -0 "${dt_pid[$1]}" 2>/dev/null; do
		files=$(tree "${dt_pid[$1]}" | sed 's|.*|/proc/&/status|')
		# shellcheck disable=SC2086
		kb=$(cat $files 2>/dev/null | awk '/^RssAnon:/ { kb += $2 } END { print kb + 0 }')
		[ "$kb" -le "$most" ] || most=$kb
		echo "$most" >"$T/$1.peak.new"
		mv "$T/$1.peak.new" "$T/$1.peak" # renamed, so that a reader sees a complete number
		sleep 0.1
	done
}

# run NAME ARGUMENTS: starts dtrace -q in the background and watches its memory. dt_ready and
# dt_wait take the same NAME.
run() {
	local name=$1
	shift
	setpriv --pdeathsig KILL "$DTRACE" -q "$@" >"$T/$name.out" 2>"$T/$name.err" &
	dt_pid[$name]=$!
	memory_peak "$name" &
}

# ended NAME STATUS [SECONDS]: checks that the run ends with that status, and that its memory stayed
# below $MEMORY_KB
ended() {
	local status
	dt_wait "$1" "${3:-60}"
	status=$?
	same "$1: status" "$2" "$status"
	[ "$(cat "$T/$1.peak")" -lt $MEMORY_KB ] && echo "ok: $1: $(cat "$T/$1.peak") KB" ||
		fail "$1: $(cat "$T/$1.peak") KB of memory"
}

# shown NAME REGEX / not_shown NAME REGEX: checks that a line, or no line, of the output matches
shown() {
	grep -qE -- "$2" "$T/$1.out" && echo "ok: $1: $2" ||
		fail "$1: no $2 in: $(cat "$T/$1.out" "$T/$1.err" | cut -c 1-200 | head -40)"
}

not_shown() {
	! grep -qE -- "$2" "$T/$1.out" && echo "ok: $1: no $2" ||
		fail "$1: $(grep -E -- "$2" "$T/$1.out" | cut -c 1-200 | head -3)"
}

# wait_for FILE REGEX: waits until a line of the file matches
wait_for() {
	local i
	for ((i = 0; i < 600; i++)); do
		grep -qsE -- "$2" "$1" && return 0
		sleep 0.05
	done
	fail "no $2 in $1: $(cut -c 1-200 "$1" | head -20)"
	return 1
}

# Starts a harmless program of root's. dtrace must name its function, whatever other processes do.
witness() {
	cat >"$T/witness.c" <<-'C'
		#include "hostile.h"
		HOSTILE_CALL("innocent")
		int main(void) { for (;;) { hostile_call(); usleep(10000); } }
	C
	cc -O1 -I"$LIVE/helpers" -o "$T/witness" "$T/witness.c" || fail "no witness"
	setpriv --pdeathsig KILL "$T/witness" &
	witness_pid=$!
}
