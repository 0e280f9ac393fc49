# A /tmp/perf-PID.map that links to libc names no code, and does not affect the names in libc.
. "$(dirname "$0")/../lib.bash"
need cc

# The program places its code at an address that equals the offset of getaddrinfo() in libc's file.
cat >"$T/made.c" <<'C'
#define _GNU_SOURCE
#include <link.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t offset;

static int of_libc(struct dl_phdr_info *i, size_t size, void *ctx)
{
	uint64_t at = (uint64_t)getaddrinfo;

	(void)size, (void)ctx;
	for (int n = 0; n < i->dlpi_phnum; n++) {
		const ElfW(Phdr) *p = &i->dlpi_phdr[n];
		uint64_t from = i->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && at >= from && at < from + p->p_filesz)
			offset = at - from + p->p_offset;
	}
	return 0;
}

int main(void)
{
#ifdef __x86_64__ /* push %rbp; mov %rsp, %rbp; mov $110 (getppid), %eax; syscall; pop %rbp; ret */
	static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb8, 110, 0, 0, 0, 0x0f, 0x05, 0x5d, 0xc3};
#else /* stp x29, x30, [sp, -16]!; mov x29, sp; mov x8, 173; svc 0; ldp x29, x30, [sp], 16; ret */
	static const unsigned int code[] = {0xa9bf7bfd, 0x910003fd, 0xd28015a8, 0xd4000001, 0xa8c17bfd, 0xd65f03c0};
#endif
	char *page, *at;

	dl_iterate_phdr(of_libc, NULL);
	page = mmap((void *)(offset & -4096ull), 8192, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (!offset || page == MAP_FAILED)
		return 1;
	at = page + (offset & 4095);
	memcpy(at, code, sizeof(code));
	mprotect(page, 8192, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(at, at + sizeof(code));
	puts("made");
	fflush(stdout);
	getchar(); /* waits until dtrace traces the process */
	for (int i = 0; i < 3; i++) {
		getppid();
		((void (*)(void))at)();
	}
	return getchar();
}
C
cc -O1 -fno-omit-frame-pointer -o "$T/made" "$T/made.c" || fail "no test program"
mkfifo "$T/go"
"$T/made" <"$T/go" >"$T/line" &
pid=$!
exec 7>"$T/go"
until [ -s "$T/line" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
libc=$(awk '$NF ~ /\/libc[.-]/ { print $NF; exit }' /proc/$pid/maps)
ln -s "$libc" /tmp/perf-$pid.map
timeout 60 "$DTRACE" -qn 'BEGIN { printf("ready\n"); }
	syscall::getppid:entry /pid == $1/ { ustack(1); }
	syscall::getppid:entry /pid == $1 && ++n == 6/ { exit(0); }' $pid >"$T/out" 2>"$T/err" &
until grep -qs ready "$T/out"; do sleep 0.05; done
echo >&7
wait $!
exec 7>&-
wait $pid
rm -f /tmp/perf-$pid.map
sed -n "s/^ *//; s/\`.*getppid+0x.*/\`getppid/; s/^0x.*/0x/; /./p" "$T/out" | grep -v ready | sort | uniq -c |
	awk '{ print $2, $1 }' >"$T/frames"
same 'the functions of libc have names' 3 "$(sed -n "s/^${libc##*/}\`getppid //p" "$T/frames")"
same 'the generated code has no name' 3 "$(sed -n 's/^0x //p' "$T/frames")"
same 'dtrace prints no message' 0 "$(grep -c . "$T/err")"
finish
