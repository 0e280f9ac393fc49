# A store through a pointer that the clause may not write to faults and changes nothing.
. tests/cli/lib.bash

cat >"$tmp/a.d" <<'E'
struct st { int a; } x;
int *p;
ERROR { printf("fault %d at %d\n", arg4, arg5 == (uint64_t)p); }
BEGIN { p = (int *)((char *)&x.a - 64); *p = 1; printf("stored"); }
BEGIN { p = (int *)((char *)&x.a + 4096); *p = 1; printf("stored"); }
BEGIN { p = alloca(8); }
BEGIN { *p = 1; printf("stored"); }
BEGIN { printf("%d\n", x.a); exit(0); }
E
run -r $pcap -q -s "$tmp/a.d"
status 0
out 'fault 1 at 1
fault 1 at 1
fault 1 at 1
0
'
[ "$(grep -c 'invalid address (0x[0-9a-f]*) in action #' "$err")" = 3 ] || wrong "the program does not fault three times"
finish
