# a.out is the program of a process. A library on another file system with the same inode number
# must not match.
. "$(dirname "$0")/../lib.bash"
need cc

mkdir "$T/programs" "$T/libraries"
mount -t tmpfs none "$T/programs" && mount -t tmpfs none "$T/libraries" || skip 'nothing can be mounted'
echo 'int of_library(void) { return 7; }' >"$T/part.c"
echo 'int of_library(void); int of_program(void) { return of_library(); } int main(void) { return getchar(); }' |
	sed '1i #include <stdio.h>' >"$T/whole.c"
cc -shared -fPIC -o "$T/libpart.so" "$T/part.c" && cp "$T/libpart.so" "$T/libraries/" &&
	cc -o "$T/whole" "$T/whole.c" "$T/libraries/libpart.so" && cp "$T/whole" "$T/programs/" ||
	fail 'no test program'
same 'the program and the library have the same inode number' "$(stat -c %i "$T/programs/whole")" "$(stat -c %i "$T/libraries/libpart.so")"

mkfifo "$T/go"
"$T/programs/whole" <"$T/go" &
pid=$!
exec 7>"$T/go"
until grep -qs libpart.so /proc/$pid/maps; do sleep 0.05; done

# modules MODULE: prints the functions of the module that begin with of_, and their modules
modules() {
	timeout 60 "$DTRACE" -ln "pid\$target:$1:of_*:entry" -p $pid | awk '$NF == "entry" { print $(NF - 2), $(NF - 1) }'
}
same 'the pattern matches only the library' 'libpart.so of_library' "$(modules libpart.so)"
same a.out 'whole of_program' "$(modules a.out)"
exec 7>&-
wait $pid
umount "$T/programs" "$T/libraries"
finish
