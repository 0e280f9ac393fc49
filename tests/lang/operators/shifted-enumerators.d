/*
 * Arithmetic on an enum's value gives an int, as for other operators: it has no name, and its bits
 * are not cut.
 */
#pragma D option quiet

enum e { ZERO, TWO = 2 };
inline int positive[int x] = x > 0;

BEGIN
{
	print(TWO << 1);
	print(-TWO);
	printf("%d %d %d\n", positive[TWO << 33], positive[2 << 33], (TWO << 33) >> 33);
	exit(0);
}
