/* args: -q */
/* The first assignment in the text determines the type of a variable, even if its branch never runs. */
BEGIN
{
	if (0) c = (char)1; else c = 300;
	if (1) d = (short)70000; else d = 1;
	printf("%d %d\n", c, d);
	if (0) late = 5;
	printf("%d\n", late);
	exit(0);
}
