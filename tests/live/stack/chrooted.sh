# dtrace names the functions of a process that called chroot(2) in a mount namespace of its own. The
# program's file exists only there.
. "$(dirname "$0")/../lib.bash"
echo '#include "hostile.h"
HOSTILE_CALL("below")
int main(void) { for (;;) { hostile_call(); usleep(10000); } }' >"$T/inside.c"
cc -O1 -static -I"$LIVE/helpers" -o "$T/inside" "$T/inside.c" || fail "no test program"
mkdir "$T/box"
# shellcheck disable=SC2016
setpriv --pdeathsig KILL unshare -m sh -c 'mount -t tmpfs none "$1/box" && cp "$1/inside" "$1/box" && exec chroot "$1/box" /inside' sh "$T" &
pid=$!
for ((i = 0; i < 300; i++)); do
	[ "$(cat /proc/$pid/comm)" != inside ] || break
	sleep 0.05
done
[ ! -e "$T/box/inside" ] || fail "the file is not in that namespace alone"
timeout 60 "$DTRACE" -qn 'syscall::getppid:entry /pid == $1/ { @[ustack(1)] = count(); n++; } tick-100ms /n/ { exit(0); }' \
	$pid >"$T/out" 2>&1 || fail "status $?: $(cat "$T/out")"
grep -qE '^ +inside`below\+0x[0-9a-f]+$' "$T/out" && echo 'ok: named' || fail "not named: $(cat "$T/out")"
finish
