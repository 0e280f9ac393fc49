# jstack(): the number of frames is that of -x jstackframes or of its argument; jstackstrsize is
# accepted.
. "$(dirname "$0")/../lib.bash"
frames() { # frames ARGS...: prints the number of frames in the stack of a shell that calls read(2)
	"$DTRACE" -q "$@" -c 'bash -c read' </dev/null 2>/dev/null | grep -c '^  *[^ ]'
}
stack='syscall::read:entry /pid == $target && execname == "bash" && !n++/'
all=$(frames -n "$stack { jstack(); }")
[ "$all" -ge 3 ] || fail "only $all frames"
same 'jstack() has as many frames as -x jstackframes says' 2 "$(frames -x jstackframes=2 -x jstackstrsize=256 -n "$stack { jstack(); }")"
same 'jstack(1) has one frame' 1 "$(frames -x jstackframes=2 -n "$stack { jstack(1); }")"
same '-x ustackframes does not affect jstack()' "$all" "$(frames -x ustackframes=1 -n "$stack { jstack(); }")"
finish
