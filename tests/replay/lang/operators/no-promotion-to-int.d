/* args: -r tests/pcap/empty.pcap -q */
uint16_t a;
uint8_t b;
uint32_t c;
int16_t d;
char e;

BEGIN
{
	a = 1; b = 2; c = 1; d = -1; e = -1;
	printf("%d %d %d %d %d\n", sizeof(a - b), sizeof(c - b), sizeof(b + b), sizeof(c + 1ll), sizeof(d + e));
	printf("%u\n", a - b);
	printf("%u\n", c - b);
	printf("%x %x\n", (uint8_t)-1, (int8_t)-1);
	printf("%d %d\n", d < a, d < c);
	printf("%d %d\n", e, e == d);
}
