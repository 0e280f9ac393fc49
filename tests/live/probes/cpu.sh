# -x cpu: events of other CPUs are not seen. BEGIN and END run on the chosen CPU.
. "$(dirname "$0")/../lib.bash"
need taskset
mapfile -t cpus < <(tr ',' '\n' </sys/devices/system/cpu/online | awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }')
[ "${#cpus[@]}" -gt 1 ] || skip 'one CPU'

cat >"$T/asks.c" <<'END'
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 5; i++)
		syscall(SYS_getppid);
	return 0;
}
END
cc -O1 -o "$T/asks" "$T/asks.c" || skip 'cannot compile'
case $(uname -m) in
x86_64) getppid=110 ;;
*) getppid=173 ;;
esac
for a in "${cpus[@]:0:2}"; do
	for b in "${cpus[@]:0:2}"; do
		got=$("$DTRACE" -qx cpu="$a" -c "taskset -c $b $T/asks" -n "BEGIN { printf(\"%d \", cpu); }
			rawtp:::sys_enter /pid == \$target && args[1] == $getppid/ { n++; at[cpu]++; }
			END { printf(\"%d %d %d\", n, at[$a], cpu); }")
		want="$a 5 5 $a"
		[ "$a" = "$b" ] || want="$a 0 0 $a"
		same "cpu=$a, the process on $b" "$want" "$(tr -d '\n' <<<"$got")"
	done
done
got=$("$DTRACE" -qx cpu=4095 -n 'BEGIN { exit(0); }' 2>&1)
same '-x cpu with a CPU that does not exist is an error' 'dtrace: failed to set -x cpu: Invalid value for specified option' "$got"
printf '#pragma D option cpu=%d\n#pragma D option quiet\nBEGIN { printf("%%d", cpu); exit(0); }\n' "${cpus[1]}" >"$T/x.d"
same 'a pragma sets the option cpu' "${cpus[1]}" "$("$DTRACE" -s "$T/x.d" | tr -d '\n')"
finish
