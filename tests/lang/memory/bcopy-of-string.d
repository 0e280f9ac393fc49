/* args: -q -x scratchsize=16 */
/* bcopy() from a string takes none of the memory of the clause. */
char *s, *t;
BEGIN { text = "abcdefghijklmno"; s = (char *)alloca(16); bcopy(text, s, 16); printf("%s\n", stringof(s)); }
BEGIN { s = (char *)alloca(8); bcopy("xyz", s, 4); t = (char *)alloca(8); printf("%s %d\n", stringof(s), t - s); }
BEGIN { s = (char *)alloca(8); bcopy(strstr("a", "b"), s, 1); printf("of NULL\n"); }
BEGIN { exit(0); }
ERROR { printf("%d %d\n", arg4, arg5 == 0); }
