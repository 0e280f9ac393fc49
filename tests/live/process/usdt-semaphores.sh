# The semaphore of a static probe may be anywhere in the data of the program: in .probes, .data or
# .bss. If it is in memory that no file is mapped to, dtrace says that the probe stays off.
. "$(dirname "$0")/../lib.bash"

cat >"$T/sem.c" <<'END'
#include <stdio.h>
#include <stdlib.h>

#define NOTE(name, semaphore) \
	"990: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
	"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " semaphore "\n" \
	".asciz \"sem\"\n.asciz \"" name "\"\n.asciz \"\"\n994: .balign 4\n.popsection\n" \
	".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n.endif\n"

#define OWN __attribute__((used, visibility("hidden")))

unsigned short in_probes OWN __attribute__((section(".probes")));
unsigned short in_data[2] OWN = {0, 1};
unsigned short in_bss OWN;
#ifdef FAR
struct {
	char before[1 << 20];
	unsigned short semaphore;
} far_away OWN;
#endif

__attribute__((noinline, noclone)) void work(int *on)
{
	if (*(volatile unsigned short *)&in_probes) {
		*on |= 1;
		__asm__ volatile(NOTE("probes", "in_probes"));
	}
	if (*(volatile unsigned short *)in_data) {
		*on |= 2;
		__asm__ volatile(NOTE("data", "in_data"));
	}
	if (*(volatile unsigned short *)&in_bss) {
		*on |= 4;
		__asm__ volatile(NOTE("bss", "in_bss"));
	}
#ifdef FAR
	if (*(volatile unsigned short *)&far_away.semaphore)
		*on |= 8;
	__asm__ volatile(NOTE("far", "far_away+1048576"));
#endif
}

int main(void)
{
	int on = 0;

	work(&on);
	printf("%d\n", on);
	return 0;
}
END
for kind in '-no-pie' '-pie -fPIE'; do
	cc -O1 $kind -o "$T/sem" "$T/sem.c" || skip 'cannot compile'
	same "$kind: off" 0 "$("$T/sem")"
	"$DTRACE" -q -c "$T/sem" -n 'sem$target::: { @[probename] = count(); }' >"$T/out" 2>"$T/err" ||
		fail "$(cat "$T/err")"
	same "$kind: on" '7 bss 1 data 1 probes 1' "$(tr -s ' \n' ' ' <"$T/out" | sed 's/^ //;s/ $//')"
	same "$kind: off again" 0 "$("$T/sem")"
done
cc -O1 -DFAR -o "$T/sem" "$T/sem.c" || skip 'cannot compile'
"$DTRACE" -q -c "$T/sem" -n 'sem$target:::far,sem$target:::data { @[probename] = count(); }' >"$T/out" 2>"$T/err"
same 'beyond the file' '2 data 1 far 1' "$(tr -s ' \n' ' ' <"$T/out" | sed 's/^ //;s/ $//')"
same 'says so' 'dtrace: semN:sem:work:far cannot be turned on: its counter of tracers is in memory that is not mapped from the file' \
	"$(sed 's/sem[0-9][0-9]*/semN/' "$T/err")"
finish
