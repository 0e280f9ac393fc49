# Another user's program has mangled names whose demangled text doubles with each substitution: 250
# bytes would become gigabytes, and 412 bytes far more. dtrace shows names up to 64 KB demangled,
# and counts every event.
. "$(dirname "$0")/hostile.bash"

# name BYTES: prints a mangled name of at most BYTES bytes: nested pairs, each made of two copies of
# the previous pair
name() {
	awk -v most="$1" 'function id(k) {
			return k < 36 ? substr(digit, k + 1, 1) : "1" substr(digit, k - 35, 1)
		}
		BEGIN {
			digit = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			for (s = "_Z1fSt4pairIiiE"; length(s) <= most; k++) {
				fits = s
				s = s "S_IS" id(k) "_S" id(k) "_E"
			}
			print fits
		}'
}

cat >"$U/bomb.c" <<'C'
#include "hostile.h"
HOSTILE_CALL(NAME)
int main(void)
{
	for (;;) {
		hostile_call();
		usleep(10000);
	}
}
C
witness
for bytes in 105 115 250 412; do
	name=$(name $bytes)
	compile bomb -DNAME="\"$name\""
	as_user "$U/bomb"
	run bomb$bytes -n 'syscall::getppid:entry /pid == $1 || pid == $2/ { @[ustack(1)] = count(); @n = count(); }
		tick-1s { exit(0); } END { printa(@); printa("all %@d\n", @n); }' $user_pid $witness_pid
	ended bomb$bytes 0
	shown bomb$bytes 'witness`innocent\+0x'
	case $bytes in
	105)
		shown bomb$bytes 'bomb`f\(std::pair<'
		same 'a name of less than 64 KB is shown completely' 33640 "$(grep -o 'f(std::pair.*)' "$T/bomb$bytes.out" | tr -d '\n' | wc -c)"
		;;
	115) shown bomb$bytes 'bomb`_Z1f' ;; # it would have 67,420 characters
	*) shown bomb$bytes 'bomb`(_Z1f|0x)' ;;
	esac
	same "bomb$bytes: all counts" "$(sed -n 's/^all //p' "$T/bomb$bytes.out")" \
		"$(awk '/^ +[0-9]+$/ { sum += $1 } END { print sum }' "$T/bomb$bytes.out")"
	kill $user_pid
done
finish
