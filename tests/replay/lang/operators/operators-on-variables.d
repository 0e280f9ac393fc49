/* args: -r tests/pcap/empty.pcap -q */
int a, b;

BEGIN
{
	a = 7; b = -2;
	printf("%d %d %d %d %d\n", a + b, a - b, a * b, a / b, a % b);
	printf("%d %d %d %d\n", a & b, a | b, a ^ b, ~a);
	printf("%d %d %d\n", a << 3, b >> 1, -a);
	printf("%d %d %d %d\n", a < b, a > b, a == b, a != b);
	printf("%d %d %d %d\n", a && b, a ^^ b, !a, a || b);
	a += 3; printf("%d", a); a -= 1; printf(" %d", a); a *= 4; printf(" %d", a);
	a /= 5; printf(" %d", a); a %= 4; printf(" %d", a); a <<= 4; printf(" %d", a);
	a >>= 1; printf(" %d", a); a |= 5; printf(" %d", a); a &= 12; printf(" %d", a);
	a ^= 15; printf(" %d\n", a);
	printf("%d %d %d %d %d\n", a++, a, ++a, a--, --a);
	printf("%d\n", (a = 3, b = 4, a * b));
}
