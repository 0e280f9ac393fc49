# Another user's process with a large invalid /tmp/perf-PID.map: root's run names the functions of
# other processes, uses little memory, and prints no control character.
. "$(dirname "$0")/hostile.bash"
need cc awk

cat >"$U/made.c" <<'C'
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
	printf("%lx\n", (long)at + 64);
	fflush(stdout);
	for (;; usleep(10000))
		((void (*)(void))(at + 64))();
}
C
compile made
as_user "$U/made" >"$T/at"
made=$user_pid
wait_for "$T/at" .
map=/tmp/perf-$made.map
trap 'rm -f "$map"; live_end' EXIT
# 37 MB of lines, then zero bytes up to 1 GB: overlapping and overflowing ranges, long names, a name
# with escapes, an invalid line, a last line without an end.
awk -v at="$(cat "$T/at")" 'BEGIN {
	printf "%s 40 evil\033[2J\rname\n", at
	long = sprintf("%4000s", ""); gsub(" ", "x", long)
	for (i = 0; i < 9000; i++)
		printf "%x %s %s\n%s\nffffffffffffffff ffffffffffffffff \233\n0 %d\n", i, i % 2 ? "ffffffffffffffff" : "1", long, "zz zz zz", i
	printf "%s 40 %s%s", at, long, long }' >"$U/map"
truncate -s 1G "$U/map"
chown $HOSTILE_UID:$HOSTILE_UID "$U/map"
setpriv --reuid $HOSTILE_UID --regid $HOSTILE_UID --clear-groups cp --sparse=always "$U/map" "$map"
witness
run map -n 'syscall::getppid:entry /pid == $1 || pid == $2/ { @[ustack(2)] = count(); @n = count(); }
	tick-200ms /i++ == 10/ { exit(0); } END { printa(@); printa("all %@d\n", @n); }' $made $witness_pid
ended map 0
shown map 'witness`innocent\+0x'
shown map 'all [1-9]'
shown map 'perf-[0-9]*\.map`'
same 'no control character' 0 "$(LC_ALL=C tr -d '\n\t\40-\176' <"$T/map.out" | wc -c)"
finish
