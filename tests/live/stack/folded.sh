# -x oformat=folded of kernel and user stacks equals what a parser like stackcollapse.pl makes of
# the text form. -x oformat=flame gives frames of the kernel and of the process different colours.
. "$(dirname "$0")/../lib.bash"
need perl setarch python3

cat >"$T/calls.c" <<'C'
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) long inner(void)
{
	return syscall(SYS_getppid) + 1;
}
__attribute__((noinline)) long outer(int n)
{
	long sum = 1;

	for (int i = 0; i < n; i++)
		sum += inner();
	return sum;
}
int main(void)
{
	long sum = outer(3) + inner() + inner();

	sleep(2); /* waits until dtrace has read the symbols of the process */
	return sum == 0;
}
C
cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline -o "$T/calls" "$T/calls.c" || fail 'no test program'
case $(uname -m) in x86_64) getppid=110 ;; *) getppid=173 ;; esac

collect() { # collect NAME ARGS...
	local name=$1
	shift
	timeout 300 "$DTRACE" "$@" -c "setarch -R $T/calls" -n "rawtp:::sys_enter /pid == \$target && args[1] == $getppid/ {
		@[execname, ustack(), stack()] = count(); }" >"$T/$name" 2>"$T/err" || fail "$(cat "$T/err")"
}
collect text
collect folded -q -x oformat=folded
collect flame -q -x oformat=flame

# A minimal parser of the layout: heading lines, frames with the innermost first, a count alone,
# blank lines.
perl -ne '
	next if /^\s*$/ or /^CPU/ or /^dtrace:/;
	if (/^\s*(\d+)\s*$/) { $n{join ";", @s} += $1; @s = (); next }
	s/^\s+//; s/\s+$//; s/\+[^+]*$//;
	unshift @s, $_;
	END { print "$_ $n{$_}\n" for keys %n }' "$T/text" | sort >"$T/read"
# In the text, the key and the user stack come before the kernel's stack, so the parser puts them
# last. A folded line begins with the key. Then come the user's frames, then the kernel's.
awk '{ n = split($0, part, " "); count = part[n]; line = substr($0, 1, length($0) - length(count) - 1)
	k = split(line, f, ";"); user = kernel = ""
	for (i = 1; i < k; i++) if (f[i] ~ /^vmlinux`/) kernel = kernel ";" f[i]; else user = user ";" f[i]
	print f[k] user kernel, count }' "$T/read" | sort >"$T/want"
sort "$T/folded" >"$T/got"
same 'folded lines equal those of the parser for the text form' "$(cat "$T/want")" "$(cat "$T/got")"
same 'the lines are sorted' "$(LC_ALL=C sort "$T/folded")" "$(cat "$T/folded")"
same 'calls are counted by their callers' '2 3' "$(grep -oE '(main;calls`(outer;calls`)?inner;.* [0-9]+|libc.*;calls`.*) [0-9]+$|[0-9]+$' "$T/folded" |
	grep -oE '[0-9]+$' | sort -n | tr '\n' ' ' | sed 's/ $//')"
same 'the kernel'\''s frames and the process'\''s frames have different colours' '1 1' "$(python3 - "$T/flame" <<'PY'
import re, sys, xml.etree.ElementTree as E
s = "{http://www.w3.org/2000/svg}"
kinds = {"kernel": set(), "user": set()}
for g in E.parse(sys.argv[1]).getroot().iter(s + "g"):
    name = g.find(s + "title").text.split("\n")[0]
    c = g.find(s + "rect").get("fill")
    r, b = int(c[1:3], 16), int(c[5:7], 16)
    if name.startswith("vmlinux`"):
        kinds["kernel"].add(r > b)
    elif "`" in name:
        kinds["user"].add(b > r)
print(int(kinds["kernel"] == {True}), int(kinds["user"] == {True}))
PY
)"
finish
