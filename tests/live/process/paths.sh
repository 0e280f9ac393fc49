# cwd, root, and the paths of open files, as the kernel prints them, for a process below mounts and
# in its own root.
. "$(dirname "$0")/../lib.bash"
mkdir -p "$T/tree/a/mnt" "$T/other/deep/t"
mount --bind "$T/other" "$T/tree/a/mnt" || skip "cannot mount"
mount -t tmpfs none "$T/tree/a/mnt/deep/t" && mkdir "$T/tree/a/mnt/deep/t/x"
cc -x c -O1 -Wall -o "$T/walk" - <<'C' || skip "cannot compile"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char name[101];
static FILE *out;

static void told(const char *want)
{
	fprintf(out, "%s\n", want);
	fflush(out);
	close(88); /* the tracer reads the paths at this call */
}

static void here(void)
{
	static char buf[8192];
	long n = syscall(SYS_getcwd, buf, sizeof(buf));

	told(n > 0 ? buf : "?");
}

int main(int argc, char **argv)
{
	int p[2];

	for (int i = 0; i < 100; i++)
		name[i] = 'a' + i % 26;
	out = fopen(argv[1], "w");
	if (argc < 3 || !out || chdir(argv[2]) || chdir("a"))
		return 1;
	here();
	if (chdir("mnt/deep"))
		return 2;
	here();
	if (chdir("t/x"))
		return 3;
	here();
	if (chroot(argv[2]) || chdir("/a/mnt/deep/t/x"))
		return 4;
	here();
	dup2(open("/a/mnt/deep/t/x/file", O_CREAT | O_WRONLY, 0600), 77);
	if (write(77, "", 1) != 1 || pipe(p))
		return 5;
	dup2(p[1], 78);
	if (write(78, "", 1) != 1 || chdir("/"))
		return 6;
	here();
	mkdir("/gone", 0700);
	if (chdir("/gone") || rmdir("/gone"))
		return 7;
	told("/gone (deleted)");
	if (chdir("/a/mnt/deep/t/x"))
		return 8;
	for (int i = 0; i < 30; i++)
		if (mkdir(name, 0700) || chdir(name))
			return 9;
	here();
	return 0;
}
C
trace='syscall::close:entry /pid == $target && arg0 == 88/ { printf("%s\n", cwd); }'
"$DTRACE" -q -x strsize=4096 -n "$trace" -c "$T/walk $T/want $T/tree" >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
echo >>"$T/want"
same_files 'working directories' "$T/want" "$T/got"
same 'the process has printed 7 directories' 7 "$(grep -c / "$T/want")"
rm -r "$T/tree/a/mnt/deep/t/x/"*
"$DTRACE" -q -n "$trace" -c "$T/walk $T/want $T/tree" >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
echo >>"$T/want"
cut -c1-255 "$T/want" >"$T/cut"
same_files 'paths that are truncated to strsize' "$T/cut" "$T/got"
rm -r "$T/tree/a/mnt/deep/t/x/"*
cat >"$T/f.d" <<'D'
syscall::write:entry /pid == $target && (arg0 == 77 || arg0 == 78)/ {
	printf("%s %s\n%s\n", root, fds[arg0].fi_pathname, d_path(&curthread->fs->root));
	printf("%s %s\n", fds[arg0].fi_dirname, fds[arg0].fi_mount);
}
D
"$DTRACE" -qs "$T/f.d" -c "$T/walk $T/want $T/tree" >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
# In a virtual machine (tests/vm), the test itself runs in another root.
base=$("$DTRACE" -qn 'BEGIN { printf("%s", root); exit(0); }' | head -1)
base=${base%/}
printf '%s\n' "$base$T/tree /a/mnt/deep/t/x/file" / "/a/mnt/deep/t/x /a/mnt/deep/t" \
	"$base$T/tree <unknown>" / '. /' '' >"$T/want"
same_files 'paths of open files' "$T/want" "$T/got"
umount "$T/tree/a/mnt/deep/t" "$T/tree/a/mnt"
[ ! -s "$T/err" ] || fail "faults: $(cat "$T/err")"
finish
