# Static probes of running programs: found by their notes, with the arguments described there, and
# with their semaphores raised.
. "$(dirname "$0")/../lib.bash"
[ "$(uname -m)" = x86_64 ] || skip 'operands are written for x86-64'

cat >"$T/notes.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned short counted_semaphore __attribute__((section(".probes"), used, visibility("hidden")));
static volatile long while_traced;

#define NOTE(name, semaphore, args) \
	"990: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
	"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " semaphore "\n" \
	".asciz \"notes\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n994: .balign 4\n.popsection\n" \
	".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n.endif\n"

__attribute__((noinline, noclone)) void work(int n, const char *s, long *row, unsigned char b)
{
	if (counted_semaphore)
		while_traced++;
	__asm__ volatile(NOTE("counted__one", "counted_semaphore", "-4@%%edi 8@%%rsi 8@8(%%rdx) 8@(%%rdx,%%rax,8) 1@%%cl -2@$-7 4@sym(%%rip)")
			 :: "D"(n), "S"(s), "d"(row), "a"(2L), "c"(0x1200 | b), "m"(row[1]), "m"(row[2]));
	__asm__ volatile(NOTE("plain", "0", "") ::: "memory");
	__asm__ volatile(NOTE("here", "0", "8@%%rsi") :: "S"(1L));
	__asm__ volatile(NOTE("there", "0", "8@%%rdi") :: "D"(2L));
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 5, row[3];
	char *text = strdup("text");

	if (argc > 2 && getchar() == EOF)
		return 9;
	for (long i = 0; i < n; i++) {
		row[1] = i * 10;
		row[2] = i * 100;
		work(-(int)i, text, row, (unsigned char)(200 + i));
	}
	printf("traced %ld\n", while_traced);
	return 0;
}
END
cc -O1 -o "$T/notes" "$T/notes.c" || skip 'cannot compile'

run() {
	timeout 300 "$DTRACE" "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
	got=$(tr -s ' \n' ' ' <"$T/out" | sed 's/^ //; s/ $//')
	said=$(sed 's/\(notes\|pid \)[0-9][0-9]*/\1N/g' "$T/err")
}

same 'the semaphore is 0 while nobody traces' 'traced 0' "$("$T/notes" 3)"
run -q -o "$T/log" -c "$T/notes 3" -n 'notes$target:::counted-one
	{ printf("%d %s %d %d %d %d;", arg0, copyinstr(arg1), arg2, arg3, arg4, arg5); }'
same 'the semaphore is incremented' 'traced 3' "$got"
same 'arguments of a static probe' '0 text 0 0 200 -7;-1 text 10 100 201 -7;-2 text 20 200 202 -7;' "$(tr -d '\n' <"$T/log")"
same 'the semaphore is lowered at the end of the run' 'traced 0' "$("$T/notes" 3)"
run -q -c "$T/notes 4" -n 'notes$target:notes:work: { @[probemod, probefunc, probename] = count(); @s[probename] = sum(arg0); }'
same 'all static probes of the provider' 'traced 4 notes work counted-one 4 notes work here 4 notes work plain 4 notes work there 4 counted-one -6 plain 0 here 4 there 8' "$got"
run -c "$T/notes" -n 'notes$target:::counted-one { trace(arg6); }'
[[ $said == *'arg6 of notesN:notes:work:counted-one cannot be read'* ]] && echo 'ok: a location of unknown form' ||
	fail "a location of unknown form: $said"
run -l -c "$T/notes" -n 'notes$target:::'
same '-l lists the static probes' 4 "$(grep -cE '^ *[0-9]+ +notes[0-9]+ +notes +work [a-z-]+$' "$T/out")"
run -c "$T/notes" -n 'notes$target:::nothing'
same 'a static probe that does not exist is an error' 'dtrace: invalid probe specifier notes$target:::nothing: probe description notesN:::nothing does not match any probes' "$(head -n 1 <<<"$said")"

run -x nohint=off -c "$T/notes" -n 'notes$target:::counted-noe'
same 'a misspelt probe gets a suggestion' '    did you mean notesN:notes::counted-one?' "$(tail -n 1 <<<"$said")"

# NAME*: all processes with the provider, including later ones.
mkfifo "$T/in"
"$T/notes" 5 wait <"$T/in" >"$T/first" & first=$!
exec 5>"$T/in"
: >"$T/out"
timeout 300 "$DTRACE" -q -x aggsortkey -n 'BEGIN { printf("live\n"); } notes*:::counted-one { @[probeprov, pid] = count(); n++; }
	tick-50ms /n == 12/ { exit(0); }' >"$T/out" 2>"$T/err" & dt=$!
for ((i = 0; i < 3000; i++)); do grep -q live "$T/out" && break; sleep 0.05; done
sleep 0.3
"$T/notes" 7 >"$T/second" & second=$!
wait $second
echo >&5
exec 5>&-
wait $first $dt
same 'notes* traces both processes' "traced 5 traced 7" "$(cat "$T/first" "$T/second" | tr '\n' ' ' | sed 's/ $//')"
same 'notes* names each process by its pid' "$(printf 'notes* %s %s\n' $first 5 $second 7 | sort)" "$(sed -n 's/^ *\(notes\*\) */\1 /p' "$T/out" | tr -s ' ' | sort)"

# -Z: files that no process had loaded at the start. The processes wait until a breakpoint is at the
# probe.
sed -e 's/"notes\\"\\n/"later\\"\\n/; s/counted__one/counted__late/' -e '/argc > 2/i\
	for (int i = 0; i < (argc > 2 ? 150 : 3000) && !counted_semaphore; i++)\
		usleep(10000);\
	usleep(300000);' "$T/notes.c" >"$T/late.c"
cc -O1 -o "$T/late.new" "$T/late.c" || skip 'cannot compile'
quick=
await() {
	: >"$T/out"
	timeout 60 "$DTRACE" -Z -q "$@" >"$T/out" 2>"$T/err" </dev/null & dt=$!
	for ((i = 0; i < 3000; i++)); do grep -q live "$T/out" && break; sleep 0.05; done
	rm -f "$T/late" && cp "$T/late.new" "$T/late"
	"$T/late" 3 ${quick:-} >"$T/second" </dev/null
	if [ -n "$quick" ]; then # nothing fires: the run ends when dtrace has reported why
		for ((i = 0; i < 600; i++)); do has "$T/err" 'was found but' && break; pause 0.05; done
		kill -INT $dt
	fi
	wait $dt
	said=$(grep -v "no function or probe names from" "$T/err") # ignores messages about other processes
}
await -n 'BEGIN { printf("live\n"); } later*:::counted-late
	{ printf("%s %s %d %s %d %d %d %d %d;", probeprov, probename, arg0, copyinstr(arg1), arg2, arg3, arg4, arg5, arg9); n++; }
	later*:::counted-late /n == 3/ { exit(0); } tick-1s /i++ == 30/ { exit(1); }'
same '-Z: a program that did not exist: its counter' 'traced 3' "$(<"$T/second")"
same '-Z: arguments of a probe of that program' 'later* counted-late 0 text 0 0 200 -7 0;later* counted-late -1 text 10 100 201 -7 0;later* counted-late -2 text 20 200 202 -7 0;' \
	"$(sed 1d "$T/out" | tr -d '\n')"
same '-Z: no message about the program' none "${said:-none}"
quick=quick
await -n 'BEGIN { printf("live\n"); } later*:::counted-late { n++; trace(arg6); }'
same '-Z: a location of unknown form' \
	"dtrace: later*:::counted-late was found in $T/late but not enabled: arg6 cannot be read: the probe's ELF note gives its location in an unknown form" "$said"
quick=
printf '%s\n' 'dtrace:::*' 'profile:::*' 'later*:::counted-late' >"$T/allowed"
await -x probes="$T/allowed" -n 'BEGIN { printf("live\n"); } later*:::counted-late { @[arg4] = count(); n++; }
	later*:::counted-late /n == 3/ { exit(0); } tick-1s /i++ == 30/ { exit(1); }'
same '-Z: a probe in the list of allowed probes' '200 1 201 1 202 1' "$(sed 1d "$T/out" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')"
await -n 'BEGIN { printf("live\n"); } later*:::counted-late, later*:::there { @[probename] = sum(arg0); n++; }
	later*:::there /n >= 6/ { exit(0); } tick-1s /i++ == 30/ { exit(1); }'
same '-Z: two probes in one clause' 'counted-late -3 there 6' "$(sed 1d "$T/out" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')"

# A file with more notes than any real program has. 30,000 of its 100,000 notes are duplicates. The
# 70,000 different notes are more than dtrace reads.
cat >"$T/many.c" <<'END'
#include <unistd.h>
int main(void) { pause(); return 0; }
__asm__(".section .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n_.stapsdt.base: .space 1\n.previous\n"
	".text\nsites: .fill 70000, 1, 0x90\n"
	".pushsection .note.stapsdt,\"?\",\"note\"\n.altmacro\n.macro note k\n.balign 4\n.4byte 8, 992f-991f, 3\n"
	".asciz \"stapsdt\"\n991: .8byte sites+\\k, _.stapsdt.base, 0\n.asciz \"many\"\n.asciz \"p\\k\"\n.asciz \"\"\n"
	"992: .balign 4\n.endm\n"
	".set i,0\n.rept 30000\nnote %i\n.set i,i+1\n.endr\n.set i,0\n.rept 70000\nnote %i\n.set i,i+1\n.endr\n.popsection\n");
END
gcc -O1 -o "$T/many" "$T/many.c" || skip 'no compiler here'
run -l -c "$T/many" -n 'many$target:::'
same 'the maximum number of probes is listed' 65536 "$(grep -cE '^ *[0-9]+ +many[0-9]+ ' "$T/out")"
same 'each probe is listed once' 65536 "$(awk '/ many[0-9]+ / { print $NF }' "$T/out" | sort -u | wc -l)"
same 'a message reports that the other probes are left out' 'dtrace: a file mapped by process N has more than 65536 static probes: the others are left out' \
	"$(sed 's/process [0-9]*/process N/' "$T/err")"
finish
