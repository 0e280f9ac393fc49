/* args: -q -x nspec=4 */
/* speculate() in a branch covers the rest of that branch; commit() and discard() in branches. */
BEGIN { a = speculation(); b = speculation(); }
BEGIN, BEGIN, BEGIN
{
	i++;
	if (i == 1) {
		speculate(a);
		printf("a: ");
	} else if (i == 2)
		speculate(b);
	printf("%d\n", i);
	if (i < 3)
		printf("less than 3\n");
}
BEGIN { printf("it was so: "); if (i == 2) commit(a); else commit(b); }
BEGIN { if (i == 3) discard(a); else { printf("wrong\n"); } printf("last\n"); }
BEGIN { commit(a); }
BEGIN { exit(0); }
