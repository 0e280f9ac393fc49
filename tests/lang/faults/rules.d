/* args: -q */
/*
 * A fault ends its clause and discards the record. Assignments and counts stay, other clauses run,
 * and the exit status does not change.
 */
int t[string];
ERROR { printf("epid %d action %d fault %d value %x\n", arg1, arg2, arg4, arg5); self->seen = arg2; }
BEGIN { printf("lost\n"); a = 1; @["before"] = count(); self->x = 5; trace(*(int *)0x20); a = 2; @["behind"] = count(); printf("lost\n"); }
BEGIN { printf("a %d, x %d, ERROR's self->seen %d\n", a, self->x, self->seen); }
BEGIN { @k[*(int *)0x28] = count(); }
BEGIN { @s["sum"] = sum(*(int *)0x30); }
BEGIN { s = stringof((char *)0x38); printf("%s\n", s); }
BEGIN { t["key"] = 1 / t["none"]; }
BEGIN { printf("%d\n", t["key"]); exit(3); }
