# Keys are in an arena (-x maps=arena) or in the kernel's hashes (-x maps=kernel). Both give the
# same results: aggregations have exact counts while their tables grow, are cleared and are read,
# and associative arrays have the right values.
. "$(dirname "$0")/../lib.bash"

"$DTRACE" -x maps=arena -qn 'BEGIN { @[1] = count(); exit(0); }' >"$T/o" 2>"$T/e" || fail "$(cat "$T/e")"

cat >"$T/reads.c" <<'C'
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>

/* reads N K: makes N calls of read(2) with an invalid descriptor, and sizes of 0 to K - 1 in turn. */
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
	same "$way: each of 100,000 keys is counted three times" '100000 300000 0' "$(cat "$T/$way")"

	counts $way "$mine { @[arg2, pid, \"x\"] = sum(arg2); @m[arg2 % 7, arg2] = max(arg2); @l[arg2] = min(-arg2);
		@a[arg2] = avg(arg2); @d[arg2 % 3] = stddev(arg2); @q[arg2 % 5] = quantize(arg2);
		@i[arg2 % 2, arg2 % 3] = lquantize(arg2, 0, 3000, 100); }
		END { printa(\"s %d %@d\n\", @); printa(\"m %d %d %@d\n\", @m); printa(\"l %d %@d\n\", @l);
		printa(\"a %d %@d\n\", @a); printa(\"d %d %@d\n\", @d); printa(@q); printa(@i); }" 30000 3000 |
		sed 's/^s \([0-9]*\) [0-9]* x/s \1/' >"$T/all.$way"
done
same 'the output has a line for each key and bucket' yes "$([ "$(wc -l <"$T/all.arena")" -gt 12000 ] && echo yes)"
cmp "$T/all.arena" "$T/all.kernel" && echo 'ok: the same in both' || fail 'the arena and the kernel'\''s hashes give different output'

# Both programs can interrupt each other. An addition that is not atomic would lose the other's.
atomic() { "$DTRACE" -e -x dump=bpf -n "rawtp:::sys_enter, rawtp:::sys_exit { $1 }" | grep -c 'lock .* += '; }
same 'stddev() adds each of its four words atomically' 8 "$(atomic '@ = stddev(arg1);')"

# Arrays: keys of several words and of strings, numbers of all sizes, deleted and stored again.
for way in arena kernel; do
	counts $way "int64_t a[int]; short b[int]; char c[string, int]; int64_t d[int, string, char];
		$mine { a[arg2] = arg2 * 3 + 1; b[arg2] = -(short)arg2; c[execname, arg2] = -(arg2 % 128); }
		$mine { d[arg2, probefunc, (char)arg2] = a[arg2] + b[arg2] + c[execname, arg2]; }
		${mine%/} && arg2 % 3 == 0/ { a[arg2] = 0; b[arg2] = a[arg2]; c[execname, arg2] = 0; }
		${mine%/} && arg2 % 5 == 0/ { a[arg2]++; b[arg2] -= 7; c[execname, arg2]--; }
		$mine { @[a[arg2], b[arg2], c[execname, arg2], d[arg2, probefunc, (char)arg2]] = count();
		@n = sum(a[arg2 + 100000] + b[arg2 + 1] + c[\"\", arg2]); }" 30000 10000 >"$T/arrays.$way"
done
same 'a line for each key, at least' yes "$([ "$(wc -l <"$T/arrays.arena")" -gt 10000 ] && echo yes)"
cmp "$T/arrays.arena" "$T/arrays.kernel" && echo 'ok: the same arrays' || fail 'the arrays differ'

# Strings in arrays and in variables of threads: of several forms, empty, deleted, and stored again.
for way in arena kernel; do
	counts $way "string s[int], t[string, int]; self string last;
		$mine { s[arg2] = strjoin(\"s\", lltostr(arg2)); t[execname, arg2] = arg2 % 2 ? execname : probefunc; }
		${mine%/} && self->last != NULL/ { t[self->last, 0] = strjoin(self->last, s[arg2]); @ = count(); }
		${mine%/} && arg2 % 3 == 0/ { s[arg2] = NULL; t[execname, arg2] = s[arg2 + 1] == NULL ? \"none\" : \"\"; }
		${mine%/} && arg2 % 7 == 0/ { self->last = NULL; }
		${mine%/} && arg2 % 7/ { self->last = lltostr(arg2 % 50); }
		${mine%/} && arg2 % 5 == 0/ { s[arg2] = t[lltostr(arg2 % 50), 0]; }
		${mine%/} && s[arg2] == NULL/ { @k[\"no string\", arg2] = count(); }
		${mine%/} && s[arg2] != NULL/ { @k[s[arg2], arg2] = count(); @k[t[execname, arg2], arg2] = count(); }" \
		30000 10000 >"$T/strings.$way"
done
same 'a line for each string, at least' yes "$([ "$(wc -l <"$T/strings.arena")" -gt 10000 ] && echo yes)"
cmp "$T/strings.arena" "$T/strings.kernel" && echo 'ok: the same strings' || fail 'the strings differ'

# Structs in arrays and in variables of threads: assigned as a whole, deleted, read by members, and
# larger than a word or not a multiple of it. The program assigns members of the array part, so this
# array is in a hash.
for way in arena kernel; do
	counts $way "struct pair { int a; char b[6]; uint16_t c; }; struct odd { char x[3]; };
		struct pair p[int], q[string, int], part[int], g; struct odd o[int], h; self struct pair s;
		$mine { g.a = arg2; g.c = arg2 * 3; g.b[0] = 'k'; g.b[1] = '0' + arg2 % 10; h.x[2] = arg2 % 100;
			p[arg2] = g; o[arg2] = h; }
		${mine%/} && arg2 % 3 == 0/ { p[arg2] = NULL; self->s = p[arg2 - 1]; o[arg2 + 1] = o[arg2]; }
		${mine%/} && arg2 % 3 == 1/ { q[execname, arg2] = p[arg2]; p[arg2 + 100000] = q[execname, arg2];
			self->s = NULL; }
		${mine%/} && arg2 % 5 == 1/ { part[arg2].a = p[arg2].a; part[arg2].c++; }
		$mine { @[p[arg2].a, p[arg2].c, p[arg2].b[arg2 % 6], q[execname, arg2].a, self->s.a, self->s.c] = count();
			@n[part[arg2].a + part[arg2].c, p[arg2 + 99999].c, o[arg2].x[2], (p[3] = p[arg2]).a] = count();
			@t[strjoin(stringof(p[arg2].b), stringof(q[execname, arg2].b))] = count(); }" \
		30000 10000 >"$T/structs.$way"
done
same 'a line for each struct, at least' yes "$([ "$(wc -l <"$T/structs.arena")" -gt 10000 ] && echo yes)"
cmp "$T/structs.arena" "$T/structs.kernel" && echo 'ok: the same structs' || fail 'the structs differ'

# Fifty arrays.
for i in $(seq 50); do
	decl+="${decl:+, }a$i[int]" stores+="a$i[$i] = $i; " sum+="${sum:+ + }a$i[$i]"
done
"$DTRACE" -x maps=arena -x strict -qn "int64_t $decl; BEGIN { $stores }
	BEGIN { printf(\"%d\\n\", $sum); exit(0); }" >"$T/o" 2>"$T/err" || fail "$(cat "$T/err")"
same 'fifty arrays' 1275 "$(grep . "$T/o")"

# An array without room for more keys: each store that is lost is counted. On a busy machine, dtrace
# may also enlarge the array too late for some stores.
# full WAY TYPE VALUE LEAST
full() {
	local kept lost

	timeout 300 "$DTRACE" -x maps="$1" -qn "$2 a[int]; $mine { a[arg2] = $3; @ = sum(a[arg2] != NULL); }
		END { printa(\"%@d\\n\", @); }" -c "$T/reads 270001 270001" >"$T/o" 2>"$T/err"
	kept=$(grep . "$T/o")
	lost=$(sed -n 's/^dtrace: \([0-9]*\) dynamic variable drops\?$/\1/p' "$T/err" | awk '{ n += $1 } END { print n + 0 }')
	same "$1: each store to a full array of $2 is kept or counted as lost" 270001 $((kept + lost))
	same "$1: keys of a full array of $2" yes \
		"$([ "$kept" -ge "$4" ] && [ "$kept" -le 262144 ] && echo yes)"
}
for row in 'arena 8192' 'kernel 262144'; do
	full "${row% *}" int64_t 'arg2 + 1' "${row#* }"
	full "${row% *}" string '"text"' "${row#* }"
done

# Four threads and the timer interrupt add and delete keys of the same array. A thread finds each
# number that it has stored.
cat >"$T/threads.c" <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * threads N K: makes N calls of read(2) in each of four threads, with an invalid descriptor and
 * sizes of 0 to K - 1 in turn.
 */
static unsigned long n, k;

static void *reads(void *unused)
{
	for (unsigned long i = 0; i < n; i++)
		syscall(SYS_read, -1, NULL, i % k);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[4];

	n = strtoul(argv[1], NULL, 0), k = strtoul(argv[argc - 1], NULL, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, reads, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
C
gcc -O2 -pthread -o "$T/threads" "$T/threads.c" || skip 'no threads'
for way in arena kernel; do
	timeout 300 "$DTRACE" -x maps=$way -x strict -qn "int64_t a[int, int], t;
		$mine { a[0, tid] = arg2 + 1; a[arg2, 0] = tid; a[arg2, 1] = 0; @ = count(); }
		syscall::read:return /pid == \$target && a[0, tid]/ { @found = count(); a[0, tid] = 0;
			a[rand() % 5000, 0] = 0; a[rand() % 5000, 1] = 1; @left = sum(a[0, tid]); }
		profile-4999hz { a[0, -t] = 1; a[t % 5000, 0] = t; a[t % 5000, 1] = 0; t++; a[0, -t + 9] = 0; }
		END { printa(\"%@d \", @); printa(\"%@d \", @found); printa(\"%@d\\n\", @left); }" \
		-c "$T/threads 50000 5000" >"$T/o" 2>"$T/err" || fail "$way: $(cat "$T/err")"
	same "$way: what threads find again" '200000 200000 0' "$(grep . "$T/o")"
done

# Threads and the timer store values under keys that others delete at the same time, and new keys
# reuse the memory. Each value contains its key, so a value under a wrong key is found.
races='uint64_t a[int, int], t;
	'$mine' { this->k = rand() % 6; a[this->k, 0] = (this->k + 1) << 32 | arg2; this->v = a[this->k, 0];
		@wrong = sum(this->v && this->v >> 32 != this->k + 1); @ = count(); }
	'$mine' { this->k = rand() % 6; a[this->k, 0] = 0; a[tid, 1] = (uint64_t)tid << 32 | arg2; }
	syscall::read:return /pid == $target && a[tid, 1]/ { this->v = a[tid, 1]; @found = count();
		@wrong = sum(this->v >> 32 != tid || (uint32_t)this->v >= 5000); a[tid, 1] = 0;
		@wrong = sum(a[tid, 1] != 0); }
	profile-4999hz { this->k = t++ % 6; a[this->k, 0] = (this->k + 1) << 32;
		a[(this->k + 3) % 6, 0] = 0; this->v = a[this->k, 0];
		@wrong = sum(this->v && this->v >> 32 != this->k + 1); }
	END { printa("%@d ", @); printa("%@d ", @found); printa("%@d\n", @wrong); }'
timeout 300 "$DTRACE" -x maps=arena -x strict -qn "$races" -c "$T/threads 100000 5000" >"$T/o" 2>"$T/err" ||
	fail "$(cat "$T/err")"
same 'no store or delete hits another key' '400000 400000 0' "$(grep . "$T/o")"

# A CPU stores to two keys in turn, so the entry of one key soon gets the other key. Another CPU
# always finds both keys.
if [ "$(nproc)" -ge 2 ]; then
	echo "taskset -c 0 $T/reads 1000000 1000000 & taskset -c 1 $T/reads 1000000 1000000; wait" >"$T/pinned"
	both='syscall::read:entry /(int)arg0 == -1 && progenyof($target) && cpu =='
	"$DTRACE" -x maps=arena -x strict -qn "int64_t a[int]; string s[int];
		BEGIN { a[0] = 1; a[1] = 1; s[0] = \"text\"; s[1] = \"text\"; }
		$both 0/ { a[0] = arg2 + 1; a[1] = arg2 + 1; a[0] = -arg2 - 1; a[1] = -arg2 - 1; @stores = count(); }
		$both 0/ { s[0] = \"text\"; s[1] = \"other text\"; }
		$both 1/ { @lost = sum((a[0] == 0) + (a[1] == 0)); @loads = count(); }
		$both 1/ { @lost = sum((s[0] == NULL) + (s[1] == NULL)); }
		END { printa(\"%@d \", @stores); printa(\"%@d \", @loads); printa(\"%@d\\n\", @lost); }" \
		-c "sh $T/pinned" >"$T/o" 2>"$T/err" || fail "$(cat "$T/err")"
	same 'a key that is stored to is always found' '1000000 1000000 0' "$(grep . "$T/o")"

	# A struct that another CPU assigns is read as a whole.
	"$DTRACE" -x maps=arena -x strict -qn "struct row { uint64_t a, b[20], c; } row[int];
		this struct row t; struct row g;
		$both 0/ { g.a = arg2 + 1; g.b[9] = arg2 + 1; g.c = arg2 + 1; row[0] = g; row[1] = g; @stores = count(); }
		$both 1/ { this->t = row[0]; @loads = count();
			@torn = sum(!this->t.a || this->t.a != this->t.b[9] || this->t.a != this->t.c); }
		BEGIN { g.a = 1; g.b[9] = 1; g.c = 1; row[0] = g; }
		END { printa(\"%@d \", @stores); printa(\"%@d \", @loads); printa(\"%@d\\n\", @torn); }" \
		-c "sh $T/pinned" >"$T/o" 2>"$T/err" || fail "$(cat "$T/err")"
	same 'no struct is torn' '1000000 1000000 0' "$(grep . "$T/o")"
fi

# Repeats the test with strings. Each string begins and ends with the same number, 200 characters
# apart. If a program reads a mixture of two strings, the two numbers differ. The number also
# contains the key.
pad=$(printf '%0200d' 0)
text='strjoin(this->n, strjoin("'$pad'", this->n))'
wrong='substr(this->s, 0, 6) != substr(this->s, 206, 6)'
races='string s[int, int]; this string n, s;
	'$mine' { this->k = rand() % 6; this->n = lltostr(100000 + 10000 * this->k + arg2); s[this->k, 0] = '$text';
		this->n = lltostr(100000 + arg2); s[tid, 1] = '$text'; @ = count(); }
	'${mine%/}' && s[arg2 % 6, 0] != NULL/ { this->s = s[arg2 % 6, 0]; @seen = count();
		@wrong = sum(this->s != "" && ('$wrong' || substr(this->s, 0, 2) != lltostr(10 + arg2 % 6))); }
	'$mine' { s[rand() % 6, 0] = NULL; }
	syscall::read:return /pid == $target && s[tid, 1] != NULL/ { this->s = s[tid, 1]; @found = count();
		@wrong = sum('$wrong' || this->s == ""); s[tid, 1] = NULL; @wrong = sum(s[tid, 1] != NULL); }
	profile-4999hz { this->k = rand() % 6; this->n = lltostr(100000 + 10000 * this->k); s[this->k, 0] = '$text'; }
	ERROR { @gone = count(); }
	END { printa("%@d ", @); printa("%@d ", @found); printa("%@d\n", @wrong); printa("seen %@d\n", @seen); }'
timeout 300 "$DTRACE" -x maps=arena -x strict -qn "$races" -c "$T/threads 100000 5000" >"$T/o" 2>"$T/err"
same 'no string is torn or of another key' '400000 400000 0' "$(grep -v seen "$T/o" | grep .)"
same 'strings that others stored were seen' yes \
	"$(awk '/^seen/ { print ($2 > 1000) ? "yes" : "no" }' "$T/o")"

# Each generation of keys is removed, and later keys reuse their memory.
counts arena "$mine { @[arg2] = count(); @n = count(); } tick-20ms { printa(\"k %d %@d\n\", @); trunc(@); }
	END { printa(\"k %d %@d\n\", @); printa(\"all %@d\n\", @n); trunc(@n); trunc(@); }" 2000000 50000 >"$T/gone"
same 'sum over keys that are removed and added again' 2000000 "$(awk '/^k/ { s += $3 } END { print s }' "$T/gone")"
same 'the aggregation without keys has the same sum' 'all 2000000' "$(grep all "$T/gone")"

# The timer interrupt at 1 kHz adds to the same tables.
counts arena "$mine { @[arg2 % 16] = count(); @n = count(); }
	profile-1000hz { @[cpu] = count(); @p = count(); @n = count(); }
	END { printa(\"k %d %@d\n\", @); printa(\"all %@d\n\", @n); printa(\"ticks %@d\n\", @p);
	trunc(@n); trunc(@); trunc(@p); }" 1000000 16 >"$T/clock"
same 'counts are exact while timers add to the same keys' "$(awk '/^all/ { print $2 }' "$T/clock")" "$(awk '/^k/ { s += $3 } END { print s }' "$T/clock")"

same 'the timers fired' yes "$(awk '/^ticks/ { print ($2 > 0) ? "yes" : "no" }' "$T/clock" | head -n 1)"

# Two CPUs add the same new keys at the same time.
echo "$T/reads 400000 200000 & $T/reads 400000 200000; wait" >"$T/both"
timeout 300 "$DTRACE" -x maps=arena -x strict -qn 'syscall::read:entry /(int)arg0 == -1 && progenyof($target)/ { @[arg2] = count(); }' \
	-c "sh $T/both" >"$T/two" 2>"$T/err" || fail "$(cat "$T/err")"
same 'counts of keys that two CPUs add at the same time' '200000 800000 0' \
	"$(awk 'NF { n++; s += $2; bad += $2 != 4 } END { print n, s, bad + 0 }' "$T/two")"
finish
