# fds[] shows the name, file system, offset and flags of the current process's open files, and
# <none> for an unused number.
. "$(dirname "$0")/../lib.bash"
cc -x c -O1 -Wall -o "$T/files" - <<'C' || skip "cannot compile"
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	char buf[10];
	int fd = open("/etc/passwd", O_RDONLY | O_NONBLOCK), p[2];

	dup2(fd, 77);
	read(77, buf, sizeof(buf));
	read(77, buf, 3);
	fd = open("/dev/null", O_WRONLY | O_APPEND);
	dup2(fd, 78);
	write(78, buf, 5);
	if (pipe(p))
		return 1;
	dup2(p[0], 79);
	close(p[1]);
	read(79, buf, 1);
	close(88);
	return 0;
}
C
cat >"$T/p.d" <<'D'
syscall::read:entry, syscall::write:entry /pid == $target && args[0] >= 77 && args[0] < 80/ {
	printf("%s %s %d %x\n", fds[args[0]].fi_name, fds[args[0]].fi_fs == "proc" ? "?" : "fs", fds[args[0]].fi_offset,
	    fds[args[0]].fi_oflags & 0xfff);
}
syscall::read:entry /pid == $target && args[0] == 79/ { printf("%s\n", fds[args[0]].fi_fs); }
syscall::close:entry /pid == $target && args[0] == 88/ {
	this->f = 100000;
	printf("%s %d, %s, %s\n", fds[88].fi_name, fds[88].fi_offset, fds[this->f].fi_name, fds[-1].fi_fs);
}
D
"$DTRACE" -qs "$T/p.d" -c "$T/files" >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
printf '%s\n' "passwd fs 0 $(printf %x 04000)" "passwd fs 10 $(printf %x 04000)" "null fs 0 $(printf %x 02001)" \
	' fs 0 0' pipefs '<none> 0, <none>, <none>' '' >"$T/want"
same_files 'members of fds[] for open files' "$T/want" "$T/got"
[ ! -s "$T/err" ] || fail "faults: $(cat "$T/err")"
finish
