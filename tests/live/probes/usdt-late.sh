# Static probes of a library that a process loads during the run (-Z), signed one-byte arguments,
# and a list of allowed probes (-x probes) that lacks one of the library's two probes.
. "$(dirname "$0")/../lib.bash"
need cc
[ "$(uname -m)" = x86_64 ] || skip 'operands are written for x86-64'

cat >"$T/lib.c" <<'C'
#define NOTE(name, semaphore, args) \
	"990: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
	"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " semaphore "\n" \
	".asciz \"loaded\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n994: .balign 4\n.popsection\n" \
	".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n.endif\n"
#define SEMAPHORE __attribute__((section(".probes"), used, visibility("hidden")))
unsigned short bytes_semaphore SEMAPHORE, plain_semaphore SEMAPHORE;
/* Returns 1 if the probe bytes is enabled, plus 2 if the probe plain is enabled. */
int enabled(void)
{
	return !!*(volatile unsigned short *)&bytes_semaphore | !!*(volatile unsigned short *)&plain_semaphore << 1;
}
/* The other bytes of the registers that hold the arguments are not 0. */
__attribute__((noinline, noclone)) void bytes(int n)
{
	signed char held[2] = {(signed char)-n, (signed char)(100 + n)};

	__asm__ volatile(NOTE("bytes", "bytes_semaphore", "-1@%%cl 1@%%cl -1@%%dl -1@(%%rsi) -1@1(%%rsi) 1@(%%rsi) -1@$-3")
			 :: "c"(0x77777700 | (unsigned char)-n), "d"(0x77777700 | (unsigned char)-n), "S"(held), "m"(held));
}
__attribute__((noinline, noclone)) void plain(void)
{
	__asm__ volatile(NOTE("plain", "plain_semaphore", "") ::: "memory");
}
C
cat >"$T/main.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * main LIBRARY PROBES: loads the library when a line comes. Calls its probes when PROBES, as
 * enabled() numbers them, are enabled, or after 30 s.
 */
int main(int argc, char **argv)
{
	void *l;
	int (*enabled)(void), want = atoi(argv[argc - 1]), seen = 0;

	if (getchar() == EOF || !(l = dlopen(argv[1], RTLD_NOW)))
		return 9;
	enabled = (int (*)(void))dlsym(l, "enabled");
	for (int i = 0; i < 3000 && (enabled() & want) != want; i++)
		usleep(10000);
	for (int n = 1; n <= 3; n++) {
		seen += enabled() & 1;
		((void (*)(int))dlsym(l, "bytes"))(n);
		((void (*)(void))dlsym(l, "plain"))();
	}
	printf("traced %d\n", seen);
	return 0;
}
C
cc -O1 -shared -fPIC -o "$T/libloaded.new" "$T/lib.c" && cc -O1 -o "$T/main" "$T/main.c" -ldl || skip 'cannot compile'

# loads DTRACE-ARGUMENTS...: starts the process, then dtrace. Then the process loads the library
# from a file that did not exist before.
loads() {
	rm -f "$T/libloaded.so" "$T/in"
	mkfifo "$T/in"
	"$T/main" "$T/libloaded.so" $probes <"$T/in" >"$T/main.out" &
	main=$!
	exec 5>"$T/in"
	: >"$T/out"
	timeout 120 "$DTRACE" -Zq "$@" >"$T/out" 2>"$T/err" </dev/null &
	dt=$!
	for ((i = 0; i < 1200; i++)); do grep -q live "$T/out" && break; kill -0 $dt 2>/dev/null || break; sleep 0.05; done
	cp "$T/libloaded.new" "$T/libloaded.so"
	echo >&5
	exec 5>&-
	wait $main
	wait $dt
	status=$?
	said=$(grep -v 'no function or probe names from' "$T/err") # ignores messages about other processes
	got=$(sed 1d "$T/out" | tr -d '\n')
}
LIVE_LINE='BEGIN { printf("live\n"); }'
END_LINE='tick-1s /i++ == 40/ { exit(1); }'

probes=1
loads -n "$LIVE_LINE"' loaded*:::bytes { printf("%d %d %d %d %d %d %d;", arg0, arg1, arg2, arg3, arg4, arg5, arg6); n++; }
	loaded*:::bytes /n == 3/ { exit(0); }'" $END_LINE"
same 'exit status 0' 0 "$status"
same 'library loaded later: its counter of tracers is raised' 'traced 3' "$(<"$T/main.out")"
same 'signed and unsigned one-byte arguments' '-1 255 -1 -1 101 255 -3;-2 254 -2 -2 102 254 -3;-3 253 -3 -3 103 253 -3;' "$got"
same 'dtrace prints no message' none "${said:-none}"

# Both probes of the library in one clause.
probes=3
loads -n "$LIVE_LINE"' loaded*:::bytes, loaded*:::plain { @[probename] = count(); n++; } loaded*:::plain /n >= 6/ { exit(0); }'" $END_LINE"
same 'both probes of the library in one clause' 'bytes 3 plain 3' "$(sed 1d "$T/out" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')"

# A program that would enable a probe outside of the list of allowed probes is refused, whether the
# library is loaded already or later.
printf '%s\n' 'dtrace:::*' 'profile:::*' 'loaded*:::plain' >"$T/some"
refused() { # refused WHAT PROBE DTRACE-ARGUMENTS...
	local what=$1 probe=$2 status
	shift 2
	timeout 60 "$DTRACE" -x probes="$T/some" "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
	same "$what: status" 1 $status
	grep -q "would enable probe $probe, which is not in the list of allowed probes" "$T/err" || fail "$what: $(cat "$T/err")"
}
refused 'a library that is not loaded yet' 'loaded\*:::bytes' -Z -n 'loaded*:::bytes { n++; } loaded*:::plain { m++; }'
probes=2
loads -x probes="$T/some" -n "$LIVE_LINE"' loaded*:::plain { @ = count(); n++; } loaded*:::plain /n == 3/ { exit(0); }'" $END_LINE"
same 'the allowed probe fires' 3 "$(tr -d ' ' <<<"$got")"
same 'the other probe stays disabled' 'traced 0' "$(<"$T/main.out")"
cat >"$T/now.c" <<'C'
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	return argc < 2 || !dlopen(argv[1], RTLD_NOW) || pause();
}
C
cc -O1 -o "$T/now" "$T/now.c" -ldl || skip 'cannot compile'
"$T/now" "$T/libloaded.so" &
now=$!
for ((i = 0; i < 200; i++)); do grep -q libloaded /proc/$now/maps && break; sleep 0.05; done
refused 'a process that has loaded the library' "loaded$now:libloaded.so:bytes:bytes" -p $now -n 'loaded$target:::bytes { n++; }'
timeout 60 "$DTRACE" -x probes="$T/some" -lp $now -n 'loaded$target:::' >"$T/out" 2>"$T/err" </dev/null
same '-l lists both probes of the library' bytes,plain "$(awk 'NR > 1 { print $NF }' "$T/out" | sort | paste -sd ,)"
kill $now
finish
