# pid probes count the calls of one process's functions exactly: entry, return, offsets. Also tests
# libraries that are loaded later, and messages.
. "$(dirname "$0")/../lib.bash"

cat >"$T/calls.c" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWN __attribute__((noinline, noclone))

OWN long six(long a, long b, long c, long d, long e, long f)
{
	__asm__ volatile("");
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}
OWN int negative(int n)
{
	__asm__ volatile("");
	return -n;
}
OWN long depth(long n)
{
	__asm__ volatile("");
	return n ? 1 + depth(n - 1) : 0;
}
OWN unsigned long text(const char *s)
{
	return strlen(s);
}
OWN long mangled(void) __asm__("_ZN5outer6mangleEv");
OWN long mangled(void)
{
	__asm__ volatile("");
	return 7;
}

static void *turn(void *n)
{
	for (long i = 0; i < (long)n; i++)
		negative((int)i);
	return n;
}

/* calls N [THREADS [wait]] */
int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 10, threads = argc > 2 ? atol(argv[2]) : 0;
	pthread_t t[16];
	char *hello = strdup("hello");
	pid_t child;

	if (argc > 3 && getchar() == EOF)
		return 9;
	for (long i = 0; i < n; i++)
		six(i, 1, 1, 1, 1, 1);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, turn, (void *)n);
	for (long i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	child = fork();
	if (!child) {
		for (long i = 0; i < 1000; i++)
			six(i, 1, 1, 1, 1, 1);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return depth(9) + (long)text(hello) + mangled() == n; /* 21 */
}
END
cc -O1 -pthread -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline -o "$T/calls" "$T/calls.c" || skip 'cannot compile'

# run ARGS...: sets $got (output), $said (messages) and $status
run() {
	timeout 300 "$DTRACE" "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
	got=$(tr -s ' \n' ' ' <"$T/out" | sed 's/^ //; s/ $//')
	said=$(sed 's/pid[ 0-9]*[0-9]/pidN/g' "$T/err")
}

run -q -c "$T/calls 1000" -n 'pid$target:a.out:main:entry { @m = count(); }
	pid$target:a.out:six:entry { @n = count(); @a = sum(arg0); @r = sum(arg1 + 2 * arg2 + 4 * arg3 + 8 * arg4 + 16 * arg5); }
	pid$target:a.out:six:return { @v = sum(arg1); @where = sum(arg0); }'
same 'main is seen, each call, its arguments and results; the child is not' '1 1000 499500 31000 519500 0' "$got"
run -q -c "$T/calls 100 8" -n 'pid$target:calls:negative:entry { @n = count(); @who[tid] = count(); }
	pid$target:calls:negative:return { @sum = sum((int)arg1); }
	END { printa("%@d\n", @n); printa("%@d\n", @sum); printa("t%@d\n", @who); }'
same 'calls of eight threads' '800 -39600 t100 t100 t100 t100 t100 t100 t100 t100' "$got"
run -q -c "$T/calls" -n 'pid$target:a.out:depth:entry { self->d++; @deep = max(self->d); }
	pid$target:a.out:depth:return { self->d--; @ = sum(arg1); }
	pid$target:a.out:main:return { left = self->d; } END { printa(@deep); trace(left); printa(@); }'
same 'entries and returns of a recursive function' '10 0 45' "$got"
run -q -c "$T/calls" -n 'pid$target:a.out:text:entry { printf("%s %s %s ", copyinstr(arg0), probefunc, probename); }
	pid$target::_ZN5outer6mangleEv:entry { printf("%s %A", probefunc, usym(uregs[R_PC])); ustack(2); }'
same 'copyinstr(), uregs[], ustack() in C++'"'s words" 'hello text entry _ZN5outer6mangleEv calls`outer::mangle()
calls`outer::mangle()' "$(sed 's/^ *//' "$T/out" | head -n 2)"
grep -q 'calls`main+0x' "$T/out" || fail "the caller: $got"

# One kernel program serves many probes, and identifies the probe that fires.
run -q -c "$T/calls 7" -n 'pid$target:a.out::entry { @[probemod, probefunc] = count(); }'
for f in 'main 1' 'six 7' 'depth 10' 'text 1' 'mangled 0'; do
	n=$(sed -n "s/^ *calls *${f% *}  *//p" "$T/out")
	[ "${n:-0}" = "${f#* }" ] && echo "ok: all functions: $f" || fail "all functions: $f: $n"
done
run -q -c "$T/calls 3" -n 'pid$target:a.out:[st]??:*try, pid$target:a.out:te*t:return { @[probefunc, probename] = count(); }'
same 'patterns of functions and of probe names' 'text return 1 six entry 3' "$got"
run -q -c "$T/calls 3" -n 'pid$target:a.out:six:*try, pid$target:a.out:text:return
	{ printf("%s:%s %d %d ", probefunc, probename, probefunc == "six", strlen(probename)); }'
same 'probefunc and probename as keys' 'six:entry 1 5 six:entry 1 5 six:entry 1 5 text:return 0 6' "$got"
run -q -c "$T/calls 3" -n 'pid$target:a.out:six: { @[probename] = count(); }'
grep -qE '^ +0 +3$' "$T/out" && grep -qE '^ +entry +3$' "$T/out" && grep -qE '^ +return +3$' "$T/out" || fail "all of a function: $got"
[ "$(grep -cE '^ +[0-9a-f]+ +3$' "$T/out")" -ge 4 ] && echo 'ok: every instruction' || fail "instructions: $got"
last=$(awk '$2 == 3 && $1 ~ /^[0-9a-f]+$/ { print $1 }' "$T/out" | sort | awk 'length > n { n = length } { a[NR] = $0 } END { for (i = 1; i <= NR; i++) if (length(a[i]) == n) l = a[i]; print l }')
run -q -c "$T/calls 5" -n "pid\$target:a.out:six:$last { @ = count(); }"
same 'a probe at an offset within a function' 5 "$got"
libc=$(ldd "$T/calls" | sed -n 's/^\t\(libc\.so[^ ]*\) .*/\1/p')
run -q -c "$T/calls" -n "pid\$target:$libc:fork:entry, pid\$target:libc:fork:return, pid\$target:libc*:_fork:entry,
	pid\$target::fork:entry { @[probemod, probefunc, probename] = count(); }"
returns=1
since 6.6 || returns=2 # the return in the child counts as well (docs/limits.md)
same 'a function that has several names' "$libc fork return $returns $libc fork entry 3" "$got"
run -q -c "$T/calls 20" -n 'pid$target:libc::entry, pid$target:a.out::entry { @ = count(); } pid$target:a.out:six:entry { @six = count(); }'
[ "${got% *}" -gt 40 ] && [ "${got#* }" = 20 ] && echo 'ok: thousands' || fail "thousands: $got $said"
if since 6.6; then # earlier kernels take a tenth of a second to release each probe
	run -q -c "$T/calls 20" -n 'pid$target:::entry, pid$target:::return { @[probename] = count(); }
		pid$target:a.out:six:return { @six = sum(arg1); }'
	[ $status = 0 ] && [[ $got == *' 590' ]] && echo 'ok: everything: it goes on as ever' || fail "everything: $got $said"
fi

# Two processes of one program: dtrace traces the requested one.
mkfifo "$T/a" "$T/b"
"$T/calls" 30 2 wait <"$T/a" & a=$!
"$T/calls" 50 2 wait <"$T/b" & b=$!
exec 5>"$T/a" 6>"$T/b"
: >"$T/out"
timeout 300 "$DTRACE" -q -p $a -n 'BEGIN { printf("live\n"); } pid$target:a.out:six:entry { @six = count(); }
	pid$target:a.out:negative:return { @neg = count(); }' >"$T/out" 2>"$T/err" & dt=$!
for ((i = 0; i < 3000; i++)); do grep -q live "$T/out" && break; sleep 0.05; done
sleep 0.3
echo >&6
wait $b
echo >&5
wait $a $dt
same '-p traces the process and its threads, and no other process' 'live 30 60' "$(tr -s ' \n' ' ' <"$T/out" | sed 's/ $//')"
exec 5>&- 6>&-

# Listings and errors.
run -l -c "$T/calls" -n 'pid$target:a.out:six:'
same 'entry and return are listed' 2 "$(grep -cE '^ *[0-9]+ +pid[0-9]+ +calls +six (entry|return)$' "$T/out")"
run -c "$T/calls" -n 'pid$target:a.out:nothing:entry'
same 'a function that does not exist is an error' "dtrace: invalid probe specifier pid\$target:a.out:nothing:entry: probe description pidN:a.out:nothing:entry does not match any probes" \
	"$(head -n 1 <<<"$said")"
run -x nohint=off -c "$T/calls" -n 'pid$target:a.out:sxi:entry'
same 'a misspelt function gets a suggestion' '    did you mean pidN:calls:six:entry?' "$(tail -n 1 <<<"$said")"
run -c "$T/calls" -n 'pid$target:a.out:six:1ffff'
same 'an offset after the end of the function' "dtrace: invalid probe specifier pid\$target:a.out:six:1ffff: offset 0x1ffff outside of function 'six'" "$said"
run -c "$T/calls" -n 'pid$target:a.out:six:leave'
same 'a probe name that does not exist is an error' "dtrace: invalid probe specifier pid\$target:a.out:six:leave: 'leave' is an invalid probe name" "$said"
run -n 'pid99999999:::entry'
same 'a process that does not exist is an error' "dtrace: invalid probe specifier pidN:::entry: failed to grab process 99999999: No such process" "$said"
bash -c 'sleep 0.3 & exec sleep 60' & parent=$! # the second sleep does not wait for the first
for ((i = 0; i < 200; i++)); do
	zombie=$(ps -o pid= -o stat= --ppid $parent | awk '$2 ~ /^Z/ { print $1 }')
	[ -n "$zombie" ] && break
	sleep 0.05
done
run -n "pid$zombie:::entry"
same 'a process that has ended is an error' "dtrace: invalid probe specifier pidN:::entry: failed to grab process N: it is a kernel thread, or it has ended" \
	"${said//$zombie/N}"
kill $parent
run -r "$LIVE/../pcap/empty.pcap" -n 'pid1:::entry'
same 'a pid probe is an error in replay' "dtrace: invalid probe specifier pidN:::entry: there are no probes of processes in replay: a capture has no processes" "$said"
cat >"$T/opens.c" <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	for (int turn = 0; turn < 3; turn++) {
		void *lib = dlopen(argv[argc - 1], RTLD_NOW);
		long (*later)(long) = lib ? (long (*)(long))dlsym(lib, "later") : 0;

		for (long i = 0; later && i < 100; i++)
			later(i);
		if (!later || dlclose(lib))
			return 1;
	}
	return 0;
}
END
echo 'long later(long n) { __asm__ volatile(""); return 2 * n; }' >"$T/later.c"
cc -o "$T/opens" "$T/opens.c" -ldl && cc -O1 -shared -fPIC -o "$T/liblater.so" "$T/later.c" || skip 'cannot compile'
run -q -c "$T/opens $T/liblater.so" -n 'pid$target:liblater.so:later:entry { @n[probemod, probefunc] = count(); @a = sum(arg0); }
	pid$target:liblater.so:later:return { @r = sum(arg1); }'
same 'a library that is loaded later, and loaded again' 'liblater.so later 300 14850 29700' "$got"
cat >"$T/slow.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
/* Waits until a breakpoint is at the function. Offsets in this library equal offsets in its file. */
static void await(const char *path, char *at)
{
	int fd = open(path, O_RDONLY);
	char was[4];
	Dl_info i;

	if (!dladdr(at, &i) || pread(fd, was, 4, at - (char *)i.dli_fbase) != 4)
		return;
	for (int k = 0; k < 2000 && !memcmp(at, was, 4); k++)
		usleep(10000);
	sleep(3); /* the other probe has the same breakpoint and may be enabled later */
	close(fd);
}
/* Loads each library, calls its function and unloads the library, twice. */
int main(int argc, char **argv)
{
	for (int turn = 0; turn < 2; turn++)
		for (int i = 1; i < argc; i++) {
			void *lib = dlopen(argv[i], RTLD_NOW);
			long (*later)(long) = lib ? (long (*)(long))dlsym(lib, "later") : 0;

			if (later)
				await(argv[i], (char *)later);
			for (long k = 0; later && k < 100; k++)
				later(k);
			if (!later || dlclose(lib))
				return 1;
		}
	return 0;
}
END
mkdir "$T/far" "$T/farther"
cc -o "$T/slow" "$T/slow.c" -ldl && cc -O1 -shared -fPIC -o "$T/far/libfar.so" "$T/later.c" &&
	cc -O1 -shared -fPIC -o "$T/farther/libfar2.so" "$T/later.c" || skip 'cannot compile'
run -Z -c "$T/slow $T/far/libfar.so" -q -n 'pid$target:libfar.so:later:entry { @n[probemod, probefunc, probename] = count(); @a = sum(arg0); }
	pid$target:libfar.so:later:return { @r = sum(arg1); }'
same '-Z: a library from another folder that is loaded later, and loaded again' 'libfar.so later entry 200 9900 19800' "$got"
same '-Z: no message about the library' none "${said:-none}"
run -Z -c "$T/slow $T/far/libfar.so $T/farther/libfar2.so" -n 'pid$target:libfar*:later:entry { @n = count(); }'
same '-Z: a pattern that matches two libraries' "400|dtrace: description 'pid\$target:libfar*:later:entry ' matched 0 probes" \
	"$got|$(head -n 1 <<<"$said")"
run -Z -c "$T/slow $T/far/libfar.so" -q -n 'pid$target:libfar.so:later:fff { @n = count(); } pid$target:libfar.so:later:entry { @m = count(); }'
same '-Z: an offset outside of the function' '200|dtrace: pidN:libfar.so:later:fff was found but not enabled: offset 0xfff outside of function '"'later'" \
	"${got:-none}|$said"
run -Z -c "$T/slow $T/far/libfar.so" -q -n 'pid$target:libfar.so:later:entry { stop(); }'
same '-Z: a destructive action needs -w, even before the library is loaded' 'dtrace: could not enable tracing: Destructive actions not allowed' "$said"
run -Z -c true -q -n 'pid$target:libfar.so:lat*:entry { @n = count(); }'
same '-Z: a pattern of functions' 'dtrace: no probe matches the pattern pidN:libfar.so:lat*:entry yet, and dtrace cannot wait for a pattern: name the function, and entry, return or an offset' "$said"
mkfifo "$T/live"
{ read -r x <"$T/live"; exec "$T/slow" "$T/far/libfar.so"; } &
slow=$!
: >"$T/out"
{ for ((i = 0; i < 3000; i++)); do grep -q ready "$T/out" && break; sleep 0.05; done; echo >"$T/live"; } &
run -Z -q -n "BEGIN { printf(\"ready\n\"); } pid$slow:libfar.so:later:entry { @n = count(); }
	tick-1s /n++ == 120/ { exit(0); } proc:::exit /pid == $slow/ { exit(0); }"
wait $slow
same '-Z: a process that dtrace does not hold' 'ready 200' "$got"
run -c "$T/opens $T/liblater.so" -n 'pid$target:libnever.so:later:entry'
same 'a library that does not exist' "dtrace: invalid probe specifier pid\$target:libnever.so:later:entry: probe description pidN:libnever.so:later:entry does not match any probes" \
	"$(head -n 1 <<<"$said")"
if [ "$(uname -m)" = x86_64 ]; then
	printf '.globl _start\n_start: mov $1, %%eax\n xor %%ebx, %%ebx\n int $0x80\n' >"$T/short.s"
	as --32 -o "$T/short.o" "$T/short.s" && ld -m elf_i386 -o "$T/short" "$T/short.o" || skip 'cannot link programs of 32 bits'
	"$T/short" && {
		run -c "$T/short" -n 'pid$target:a.out:_start:entry'
		same 'a program of 32 bits' "dtrace: invalid probe specifier pid\$target:a.out:_start:entry: failed to grab process N: it runs a 32-bit program, and only 64-bit programs can be probed" \
			"$(sed 's/process [0-9]*:/process N:/' <<<"$said" | head -n 1)"
	}
	cat >"$T/odd.c" <<'END'
__asm__(".text\n.type odd,@function\n.globl odd\nodd:\n\tmov $0x1234, %eax\n\tvzeroupper\n\tret\n.size odd, .-odd\n");
int odd(void);
int main(void) { return odd() != 0x1234; }
END
	cc -o "$T/odd" "$T/odd.c" || skip 'cannot compile'
	run -c "$T/odd" -n 'pid$target:a.out:odd:2'
	same 'an offset inside an instruction is an error' "dtrace: invalid probe specifier pid\$target:a.out:odd:2: offset 0x2 is not aligned on an instruction of function 'odd'" "$said"
	run -c "$T/odd" -n 'pid$target:a.out:odd:5'
	same 'an instruction that the kernel could take for a jump' "dtrace: invalid probe specifier pid\$target:a.out:odd:5: offset 0x5 is at an instruction that the kernel cannot probe, in function 'odd'" "$said"
	run -c "$T/odd" -n 'pid$target:a.out:odd:'
	same 'the process behaves as before' 'dtrace: pidN has exited' "$(tail -n 1 <<<"$said")"
fi
finish
