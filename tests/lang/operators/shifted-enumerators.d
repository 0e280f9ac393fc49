/*
 * Arithmetic on an enum value gives an int, as for other operators: the result has no name, and
 * keeps all bits.
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
