# Aggregation keys in an arena (-x maps=arena) and in the kernel's hashes (-x maps=kernel): the same
# exact counts, while tables grow, are cleared and read.
. "$(dirname "$0")/../lib.bash"

"$DTRACE" -x maps=arena -qn 'BEGIN { @[1] = count(); exit(0); }' >"$T/o" 2>"$T/e" || fail "$(cat "$T/e")"

cat >"$T/reads.c" <<'C'
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>

/* reads N K: N calls of read(2) with sizes of 0 to K - 1, in turn, from no file. */
int main(int argc, char **argv)
{
	unsigned long n = strtoul(argv[1], NULL, 0), k = strtoul(argv[argc - 1], NULL, 0);

	for (unsigned long i = 0; i < n; i++)
		syscall(SYS_read, -1, NULL, i % k);
	return 0;
}
C
gcc -O2 -o "$T/reads" "$T/reads.c" || skip 'no C compiler'

# counts WAY PROGRAM N K: prints the output of PROGRAM for N reads with K keys. These reads use
# descriptor -1, which separates them from other reads of the command.
counts() {
	timeout 300 "$DTRACE" -x maps="$1" -x strict -x aggsize=400m -qn "$2" -c "$T/reads $3 $4" 2>"$T/err" ||
		fail "$1: $(cat "$T/err")"
}
mine='syscall::read:entry /pid == $target && (int)arg0 == -1/'

for way in arena kernel; do
	counts $way "$mine { @[arg2] = count(); }" 300000 100000 |
		awk 'NF { n++; s += $2; bad += $2 != 3 } END { print n, s, bad + 0 }' >"$T/$way"
	same "$way: 100,000 keys, three times each" '100000 300000 0' "$(cat "$T/$way")"

	counts $way "$mine { @[arg2, pid, \"x\"] = sum(arg2); @m[arg2 % 7, arg2] = max(arg2); @l[arg2] = min(-arg2);
		@a[arg2] = avg(arg2); @d[arg2 % 3] = stddev(arg2); @q[arg2 % 5] = quantize(arg2);
		@i[arg2 % 2, arg2 % 3] = lquantize(arg2, 0, 3000, 100); }
		END { printa(\"s %d %@d\n\", @); printa(\"m %d %d %@d\n\", @m); printa(\"l %d %@d\n\", @l);
		printa(\"a %d %@d\n\", @a); printa(\"d %d %@d\n\", @d); printa(@q); printa(@i); }" 30000 3000 |
		sed 's/^s \([0-9]*\) [0-9]* x/s \1/' >"$T/all.$way"
done
same 'as many lines as keys and buckets, at least' yes "$([ "$(wc -l <"$T/all.arena")" -gt 12000 ] && echo yes)"
cmp "$T/all.arena" "$T/all.kernel" && echo 'ok: the same in both' || fail 'the two differ'

# Keys that come and go: each generation is removed, and its slots are reused.
counts arena "$mine { @[arg2] = count(); @n = count(); } tick-20ms { printa(\"k %d %@d\n\", @); trunc(@); }
	END { printa(\"k %d %@d\n\", @); printa(\"all %@d\n\", @n); trunc(@n); trunc(@); }" 2000000 50000 >"$T/gone"
same 'keys that come and go' 2000000 "$(awk '/^k/ { s += $3 } END { print s }' "$T/gone")"
same 'in all' 'all 2000000' "$(grep all "$T/gone")"

# The timer interrupt at 1 kHz adds to the same tables.
counts arena "$mine { @[arg2 % 16] = count(); @n = count(); }
	profile-1000hz { @[cpu] = count(); @p = count(); @n = count(); }
	END { printa(\"k %d %@d\n\", @); printa(\"all %@d\n\", @n); printa(\"ticks %@d\n\", @p);
	trunc(@n); trunc(@); trunc(@p); }" 1000000 16 >"$T/clock"
same 'counts at the clock of each CPU' "$(awk '/^all/ { print $2 }' "$T/clock")" "$(awk '/^k/ { s += $3 } END { print s }' "$T/clock")"

same 'the clock fired' yes "$(awk '/^ticks/ { print ($2 > 0) ? "yes" : "no" }' "$T/clock" | head -n 1)"

# Two CPUs add the same new keys at the same time.
echo "$T/reads 400000 200000 & $T/reads 400000 200000; wait" >"$T/both"
timeout 300 "$DTRACE" -x maps=arena -x strict -qn 'syscall::read:entry /(int)arg0 == -1 && progenyof($target)/ { @[arg2] = count(); }' \
	-c "sh $T/both" >"$T/two" 2>"$T/err" || fail "$(cat "$T/err")"
same 'two CPUs add the same keys' '200000 800000 0' \
	"$(awk 'NF { n++; s += $2; bad += $2 != 4 } END { print n, s, bad + 0 }' "$T/two")"
finish
