/* args: -q */
/* Only the members of a translator that a program reads are evaluated, so the others cannot fault. */
int evaluated;
struct in { int n; };
struct out { int right; int wrong; int bad; };
translator struct out < struct in *I > {
	right = 7 + (I == NULL);
	wrong = evaluated++;
	bad = *(int *)0;
};
BEGIN
{
	printf("%d\n", (xlate <struct out *> ((struct in *)NULL))->right);
}
BEGIN
{
	printf("%d\n", (xlate <struct out> ((struct in *)NULL)).right + evaluated);
	printf("%d\n", (xlate <struct out *> ((struct in *)NULL))->bad);
}
ERROR { printf("fault of bad, %d\n", evaluated); exit(0); }
