# A store through a pointer that the clause may not write to faults and changes nothing.
. tests/cli/lib.bash

cat >"$tmp/a.d" <<'E'
struct st { int a; } tab[int], x;
self struct st t;
int *p;
ERROR { printf("fault %d at %d\n", arg4, arg5 == (uint64_t)p); }
BEGIN { tab[1].a = 8; p = &tab[1].a; *p = 1; printf("stored"); }
BEGIN { self->t.a = 9; p = &self->t.a; *p = 1; printf("stored"); }
BEGIN { p = (int *)((char *)&x.a - 64); *p = 1; printf("stored"); }
BEGIN { p = (int *)((char *)&x.a + 4096); *p = 1; printf("stored"); }
BEGIN { p = alloca(8); }
BEGIN { *p = 1; printf("stored"); }
BEGIN { printf("%d %d\n", tab[1].a, self->t.a); exit(0); }
E
run -r $pcap -q -s "$tmp/a.d"
status 0
out 'fault 1 at 1
fault 1 at 1
fault 1 at 1
fault 1 at 1
fault 1 at 1
8 9
'
[ "$(grep -c 'invalid address (0x[0-9a-f]*) in action #' "$err")" = 5 ] || wrong "the program does not fault five times"
finish
