# A program makes a million (100,000 with kernel maps) random updates of five aggregations and an
# associative array, and computes the expected results itself. They must equal dtrace's: count, sum,
# minimum and maximum of each key, and the sum of the values that the array had before each store.
# Meanwhile a clause truncates two of the aggregations. A second array stores the same numbers as
# text.
. "$(dirname "$0")/../lib.bash"

cat >"$T/model.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>

/*
 * model N K FILE [PACE]: makes N calls of read(2) with an invalid descriptor, random sizes below K and
 * random addresses. Sleeps for 1 ms after each PACE calls. Writes the expected rows: key, number, sum, least and greatest address, and the sum of the
 * values that a[key] had before the calls. a[key] is the address, or 0 if that is a multiple of 3.
 */
struct row {
	unsigned long n, sum, min, max, held, before;
};

int main(int argc, char **argv)
{
	unsigned long n = strtoul(argv[1], NULL, 0), k = strtoul(argv[2], NULL, 0), x = 88172645463325252;
	struct row *row = calloc(k, sizeof(*row));
	unsigned long pace = argc > 4 ? strtoul(argv[4], NULL, 0) : 0;
	FILE *f = fopen(argv[3], "w");

	for (unsigned long i = 0; i < n; i++) {
		unsigned long key, v;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		v = x >> 40;
		/* half of the calls share one key in a hundred */
		key = (x & 1) ? (x >> 1 & 0xffffff) % k : (x >> 1 & 0xffffff) % (k / 100 + 1);
		syscall(SYS_read, -1, v, key);
		if (pace && i % pace == 0)
			usleep(1000);
		row[key].min = !row[key].n || v < row[key].min ? v : row[key].min;
		row[key].max = v > row[key].max ? v : row[key].max;
		row[key].sum += v;
		row[key].n++;
		row[key].before += row[key].held;
		row[key].held = v % 3 ? v : 0;
	}
	for (unsigned long i = 0; i < k; i++)
		if (row[i].n)
			fprintf(f, "%lu %lu %lu %lu %lu %lu %lu\n", i, row[i].n, row[i].sum, row[i].min,
				row[i].max, row[i].before, row[i].before);
	return argc < 4 || fclose(f);
}
C
gcc -O2 -o "$T/model" "$T/model.c" || skip 'no C compiler'
mine='syscall::read:entry /pid == $target && (int)arg0 == -1/'

# The kernel gets memory for new keys of its hashes in the background, and refuses keys that come faster.
# dtrace counts these as drops.
declare -A calls keys pace
calls=([arena]=1000000 [kernel]=100000) keys=([arena]=30000 [kernel]=3000) pace=([arena]=0 [kernel]=20)
for way in arena kernel; do
	timeout 300 "$DTRACE" -x maps=$way -x strict -x aggsize=400m -qn "uint64_t a[uint64_t, int];
		string t[uint64_t, int];
		$mine { @n[arg2] = count(); @s[arg2] = sum(arg1); @l[arg2] = min(arg1); @g[arg2] = max(arg1);
			@b[arg2] = sum(a[arg2, pid]); a[arg2, pid] = arg1 % 3 ? arg1 : 0; @t[arg2] = sum(0); }
		${mine%/} && t[arg2, pid] != NULL/ { @t[arg2] = sum(strtoll(t[arg2, pid])); }
		${mine%/} && arg1 % 3/ { t[arg2, pid] = lltostr(arg1); }
		${mine%/} && arg1 % 3 == 0/ { t[arg2, pid] = NULL; }
		tick-100ms { printa(\"n %d %@d\\n\", @n); printa(\"s %d %@d\\n\", @s); trunc(@n); trunc(@s); }
		END { printa(\"n %d %@d\\n\", @n); printa(\"s %d %@d\\n\", @s); printa(\"l %d %@d\\n\", @l);
		printa(\"g %d %@d\\n\", @g); printa(\"b %d %@d\\n\", @b);
		printa(\"t %d %@d\\n\", @t);
		trunc(@n); trunc(@s); trunc(@l); trunc(@g); trunc(@b); trunc(@t); }" \
		-c "$T/model ${calls[$way]} ${keys[$way]} $T/want ${pace[$way]}" >"$T/out" 2>"$T/err" || fail "$way: $(cat "$T/err")"
	awk '/^n/ { n[$2] += $3 } /^s/ { s[$2] += $3 } /^l/ { l[$2] = $3 } /^g/ { g[$2] = $3 }
		/^b/ { b[$2] = $3 } /^t/ { t[$2] = $3 }
		END { for (k in n) printf "%d %d %.0f %d %d %.0f %.0f\n", k, n[k], s[k], l[k], g[k], b[k], t[k] }' "$T/out" |
		sort -n >"$T/got"
	same "$way: number of keys" ${keys[$way]} "$(wc -l <"$T/want" | tr -d ' ')"
	if cmp "$T/got" "$T/want"; then
		echo "ok: $way: all as in the model"
	else
		fail "$way: $(diff "$T/got" "$T/want" | head -n 6)"
	fi
done
finish
