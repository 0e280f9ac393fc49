# If the file libX.so.1 is not a library, pid$target:libX.so.1 matches no probes, and dtrace does
# not block. If a library is replaced while dtrace starts, dtrace traces the old file.
. "$(dirname "$0")/hostile.bash"
need python3

cat >"$U/loop.c" <<'C'
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	void *l = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*f)(void) = l ? (int (*)(void))dlsym(l, "f") : NULL;
	for (;;) {
		if (f)
			f();
		usleep(10000);
	}
}
C
compile loop
X=$U/libX.so.1

make_fifo() { mkfifo "$X"; }
make_device() { mknod "$X" c 1 5; }
make_socket() { python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$X"; }
make_zero() { ln -s /dev/zero "$X"; }
make_linked_fifo() { mkfifo "$U/fifo" && ln -s fifo "$X"; }
make_folder() { mkdir "$X"; }
make_text() { echo 'no library' >"$X"; }

as_user "$U/loop"
for kind in fifo device socket zero linked_fifo folder text; do
	make_$kind || fail "no $kind"
	run $kind -p $user_pid -n 'pid$target:libX.so.1:f:entry { exit(0); }'
	ended $kind 1 20
	same "$kind: dtrace prints a message" 1 "$(grep -c 'does not match any probes' "$T/$kind.err")"
	rm -rf "$X"
done
kill $user_pid

# dtrace traces the file that it checked, even if the name later refers to another file.
echo 'int f(void) { return 1; }' >"$T/x.c"
echo 'int other(int n) { return n ? other(n - 1) * 3 + 1 : 2; } int f(void) { return 2; }' >"$T/y.c"
cc -shared -fPIC -O0 -o "$X" "$T/x.c" && cc -shared -fPIC -O0 -o "$U/new" "$T/y.c" || fail 'no libraries'
as_user "$U/loop" "$X"
until grep -q libX /proc/$user_pid/maps; do sleep 0.05; done
run renamed -p $user_pid -n 'pid$target:libX.so.1:f:entry { @[probefunc] = count(); n++; }
	tick-100ms /n > 5/ { exit(0); } END { printa("%s called\n", @); }'
open_there() {
	local f
	for f in /proc/"${dt_pid[renamed]}"/fd/*; do
		[ ! "$f" -ef "$X" ] || return 0
	done
	return 1
}
until open_there || ! kill -0 "${dt_pid[renamed]}"; do :; done
kill -STOP "${dt_pid[renamed]}"
mv "$U/new" "$X"
kill -CONT "${dt_pid[renamed]}"
ended renamed 0 20
shown renamed '^f called'
finish
