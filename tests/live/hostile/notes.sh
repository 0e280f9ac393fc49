# Another user's programs have damaged symbols, machine code and notes (which describe static
# probes). Some have notes that the kernel or dtrace refuses. Root's run still traces root's own
# program.
. "$(dirname "$0")/hostile.bash"
need cc python3
[ "$(uname -m)" = x86_64 ] || skip 'notes and code are written for x86-64'

cat >"$T/notes.c" <<'C'
#include <unistd.h>
unsigned short pinged_semaphore __attribute__((section(".probes"), used, visibility("hidden")));
#ifndef SEMAPHORE
#define SEMAPHORE "pinged_semaphore"
#endif
#ifndef ARGS
#define ARGS "-4@%%edi"
#endif
#define NOTE(name, args) \
	"990: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
	"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " SEMAPHORE "\n" \
	".asciz \"" PROV "\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n994: .balign 4\n.popsection\n" \
	".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n.endif\n"
__attribute__((noinline, noclone)) void work(long n)
{
	__asm__ volatile(NOTE("ping", ARGS) :: "D"(n));
}
/* These functions are never called, because the test replaces their bytes. */
#define UNUSED(f) __attribute__((used, noinline, noclone)) static long f(long n) { return n * n + getppid() + n / 3; }
UNUSED(garbage_a) UNUSED(garbage_b) UNUSED(garbage_c) UNUSED(garbage_d)
int main(void)
{
	for (long n = 0;; n++) {
		work(n);
		usleep(10000);
	}
}
C
cc -O1 -DPROV='"hostileu"' -o "$U/plain" "$T/notes.c" || { fail 'no program'; finish; }
cc -O1 -DPROV='"innocent"' -o "$T/innocent" "$T/notes.c" || { fail 'no program'; finish; }

# Makes damaged copies of the program. Each copy has other wrong bytes in the notes, in the symbol
# table and in the code of garbage_*.
python3 - "$U" <<'PY' || { fail 'no damaged programs'; finish; }
import os, random, struct, sys

where = sys.argv[1]
whole = open(where + "/plain", "rb").read()
shoff, = struct.unpack_from("<Q", whole, 40)
shnum, shstr = struct.unpack_from("<HH", whole, 60)
head = [struct.unpack_from("<IIQQQQIIQQ", whole, shoff + 64 * i) for i in range(shnum)]
name = lambda h: whole[head[shstr][4] + h[0]:].split(b"\0", 1)[0]
place = {name(h): (h[4], h[5], h[3]) for h in head}
notes, symtab, strtab, text = (place[n] for n in (b".note.stapsdt", b".symtab", b".strtab", b".text"))
r = random.Random(1)
for i in range(24):
    b = bytearray(whole)
    for k in range(1 + i % 6):
        at = notes[0] + r.randrange(notes[1])
        b[at] = r.choice((0, 0xff, 0x7f, 0x80, r.randrange(256)))
    if i % 3 == 0:  # large lengths
        struct.pack_into("<I", b, notes[0] + 4 * (i // 3 % 3), r.choice((0xffffffff, 0x7fffffff, 0xfffffffc, 4)))
    for at in range(symtab[0], symtab[0] + symtab[1], 24):
        n, = struct.unpack_from("<I", b, at)
        symbol = bytes(b[strtab[0] + n:strtab[0] + n + 8])
        if symbol != b"garbage_":
            continue
        value, size = struct.unpack_from("<QQ", b, at + 8)
        code = text[0] + value - text[2]
        b[code:code + size] = bytes(r.randrange(256) for _ in range(size))
        if i % 2:
            struct.pack_into("<QQ", b, at + 8, r.choice((value, value + 1, 2**63, 0)),
                             r.choice((0, 1, 15, 2**32, 2**64 - 1)))
    open("%s/bad%d" % (where, i), "wb").write(b)
    os.chmod("%s/bad%d" % (where, i), 0o755)
PY
chown -R $HOSTILE_UID:$HOSTILE_UID "$U"
bad=()
for i in {0..23}; do
	as_user "$U/bad$i"
	bad+=("$user_pid")
done
setpriv --pdeathsig KILL "$T/innocent" &
innocent=$!
sleep 0.5
for p in "${bad[@]}"; do
	kill -0 "$p" 2>/dev/null || fail "a damaged program does not run"
done

# Static probes of all processes, by name.
run notes -Z -n 'innocent*:::ping, hostileu*:::ping, hostileu*:::* { @[probeprov, pid] = count(); }
	tick-100ms /i++ == 20/ { exit(0); }'
ended notes 0
shown notes "innocent[*] +$innocent +[0-9]"

# Notes that dtrace accepts and the kernel refuses, because the counter of tracers (the semaphore)
# is at an odd address; and notes whose argument is in a register that dtrace cannot read.
user_program() { # user_program NAME PROVIDER OPTION...: compiles and starts the other user's program
	cc -O1 -DPROV="\"$2\"" "${@:3}" -o "$U/$1" "$T/notes.c" || { fail "no program $1"; finish; }
	chown $HOSTILE_UID "$U/$1"
	as_user "$U/$1"
}
odd='-DSEMAPHORE="pinged_semaphore+1"'
user_program odd innocent "$odd"
run odd -n 'innocent*:::ping { @[pid, arg0 >= 0] = count(); } tick-100ms /i++ == 10/ { exit(0); }'
ended odd 0
shown odd "^ +$innocent +1 +[1-9]"
same 'probe with an odd counter: a message names the file' 1 "$(grep -c "the kernel refuses to put probes into $U/odd: " "$T/odd.err")"
kill $user_pid
user_program register innocent '-DARGS="8f@%%xmm0"'
run register -n 'innocent*:::ping { @[pid, arg0 >= 0] = count(); } tick-100ms /i++ == 10/ { exit(0); }'
ended register 0
shown register "^ +$innocent +1 +[1-9]"
fault='^dtrace: error on .*register:work:ping): illegal operation in action #'
same 'argument in a register that cannot be read: a fault' yes "$(grep -q "$fault" "$T/register.err" && echo yes)"
same 'argument in a register that cannot be read: only faults are reported' 0 "$(grep -vc "$fault" "$T/register.err")"
kill $user_pid
# One file with 60,000 probes of one name, each with its argument at another place.
cat >"$T/many.c" <<'C'
#include <unistd.h>
int main(void) { for (;;) pause(); }
__asm__(".section .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n_.stapsdt.base: .space 1\n.previous\n"
	".text\nsites: .fill 60000, 1, 0x90\n"
	".pushsection .note.stapsdt,\"?\",\"note\"\n.altmacro\n.macro note k\n.balign 4\n.4byte 8, 992f-991f, 3\n"
	".asciz \"stapsdt\"\n991: .8byte sites+\\k, _.stapsdt.base, 0\n.asciz \"innocent\"\n.asciz \"ping\"\n"
	".asciz \"-4@\\k(%rdi)\"\n992: .balign 4\n.endm\n"
	".set i,0\n.rept 60000\nnote %i\n.set i,i+1\n.endr\n.popsection\n");
C
cc -O1 -o "$U/many" "$T/many.c" || { fail 'no program many'; finish; }
chown $HOSTILE_UID "$U/many"
as_user "$U/many"
run many -n 'innocent*:::ping { @[pid, arg0 >= 0] = count(); } tick-100ms /i++ == 10/ { exit(0); }'
ended many 0 30
shown many "^ +$innocent +1 +[1-9]"
kill $user_pid
# While dtrace waits for a probe, another user starts programs whose probe dtrace cannot trace.
run late -Z -n 'BEGIN { printf("ready\n"); } latecomer*:::ping { @[pid] = count(); }
	latecomer*:::ping /!seen++/ { printf("fired\n"); } tick-60s { exit(1); }'
wait_for "$T/late.out" ready
for i in 1 2 3 4 5; do user_program late-odd$i latecomer "$odd"; done
wait_for "$T/late.err" 'found in .*/late-odd1 but not enabled'
cc -O1 -DPROV='"latecomer"' -o "$T/latecomer" "$T/notes.c" || fail 'no program'
setpriv --pdeathsig KILL "$T/latecomer" &
late=$!
wait_for "$T/late.out" fired
kill -INT "${dt_pid[late]}"
ended late 0
shown late "^ +$late +[1-9]"
same 'program started later: messages about three files' 3 "$(grep -c 'late-odd[1-5] but not enabled: Invalid argument$' "$T/late.err")"

# Functions of five damaged processes, and instructions of two of them.
for k in 1 3 8 14 21; do
	# Symbols of odd copies may have wrong addresses and sizes. Only entries are traced there,
	# because probes in a wrong range would change the instructions of other functions.
	what='pid$target:bad*::entry'
	[ $((k % 2)) = 1 ] || what="$what, pid\$target:bad*:garbage_*:"
	run code$k -p "${bad[k]}" -n "$what"'
		{ @f[probefunc] = count(); }
		innocent*:::ping { @ = count(); } tick-100ms /i++ == 10/ { printa("pings %@d\n", @); exit(0); }'
	ended code$k 0
	shown code$k 'pings [1-9]'
	shown code$k 'work +[1-9]'
done
for p in "${bad[@]}"; do
	kill -0 "$p" 2>/dev/null || fail "tracing has ended a program"
done
finish
