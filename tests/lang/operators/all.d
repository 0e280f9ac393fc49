/* args: -q */
/* Precedence, associativity, and every operator, on values unknown at compile time. */
int a, b, c;
BEGIN { a = 7; b = 3; c = -7; }
BEGIN
{
	printf("%d %d %d %d %d\n", a + b, a - b, a * b, a / b, a % b);
	printf("%d %d %d %d\n", c / b, c % b, a / -b, a % -b);
	printf("%d %d %d\n", a << b, 1000 >> b, c >> 1);
	printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
	printf("%d %d %d %d %d %d\n", a & b, a | b, a ^ b, ~a, -a, +a);
	printf("%d%d%d%d %d%d\n", a && b, a && 0, 0 || b, a ^^ b, !a, !!a);
	printf("%d %d %d\n", a + b * 2, (a + b) * 2, a - b - 1);
	printf("%d %d %d\n", a | b ^ 1 & 3, 1 << b + 1, a & b == b);
	printf("%d %d\n", 1 || a ^^ b, a ^^ 1 && 0);
	printf("%d %d %d\n", a > b ? a : b, a < b ? a : b > 5 ? 1 : 2, (a, b));
}
BEGIN { x = y = 4; x += 3; y -= 1; printf("%d %d ", x, y); x *= y; x /= 2; printf("%d ", x); x %= 7; x <<= 4; x >>= 1; printf("%d ", x); }
BEGIN { x |= 3; x &= 0x12; x ^= 1; printf("%d\n", x); printf("%d %d %d %d %d\n", x++, ++x, x--, --x, x); exit(0); }
