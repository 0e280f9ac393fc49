# Code that a runtime makes has the names of its /tmp/perf-PID.map, unless another user wrote that file.
. "$(dirname "$0")/../lib.bash"
need cc

cat >"$T/made.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
#ifdef __x86_64__ /* push %rbp; mov %rsp, %rbp; mov $110 (getppid), %eax; syscall; pop %rbp; ret */
	static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb8, 110, 0, 0, 0, 0x0f, 0x05, 0x5d, 0xc3};
#else /* stp x29, x30, [sp, -16]!; mov x29, sp; mov x8, 173; svc 0; ldp x29, x30, [sp], 16; ret */
	static const unsigned int code[] = {0xa9bf7bfd, 0x910003fd, 0xd28015a8, 0xd4000001, 0xa8c17bfd, 0xd65f03c0};
#endif
	char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(at + 64, code, sizeof(code));
	mprotect(at, 4096, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(at, at + 4096);
	printf("%lx 40 Lapp;::run\n", (long)at + 64);
	fflush(stdout);
	getchar(); /* until dtrace traces it */
	for (int i = 0; i < 3; i++)
		((void (*)(void))(at + 64))();
	return getchar();
}
C
cc -O1 -fno-omit-frame-pointer -o "$T/made" "$T/made.c" || fail "no test program"

# names USER: the frame that dtrace shows when USER has written the map.
names() {
	local pid map

	rm -f "$T/out" # or the last run is taken for this one
	mkfifo "$T/go"
	"$T/made" <"$T/go" >"$T/line" &
	pid=$!
	exec 7>"$T/go"
	map=/tmp/perf-$pid.map
	until [ -s "$T/line" ]; do sleep 0.05; done
	cp "$T/line" "$map"
	chown "$1" "$map"
	timeout 60 "$DTRACE" -qn 'BEGIN { printf("ready\n"); }
		syscall::getppid:entry /pid == $1/ { ustack(1); }
		syscall::getppid:entry /pid == $1 && ++n == 3/ { exit(0); }' $pid >"$T/out" &
	until grep -qs ready "$T/out"; do sleep 0.05; done
	echo >&7
	wait $!
	exec 7>&-
	wait $pid
	rm -f "$T/go" "$T/line" "$map"
	sed -n "3{s/perf-$pid.map/MAP/; s/^ *//; s/0x[0-9a-f]*/0x/; p}" "$T/out"
}

same 'a name' 'MAP`Lapp;::run+0x' "$(names 0)"
same "another user's map" 0x "$(names 65533)"
finish
