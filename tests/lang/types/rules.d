/* args: -q */
/*
 * Stores truncate to the size of their destination. In a comparison, an enumerator needs no enum
 * name before it.
 */
enum colour { RED, GREEN = 5, BLUE };
enum colour c;
uint8_t small;
int8_t sign;
int16_t mid;
BEGIN
{
	small = 0x1ff;
	sign = 0x1ff;
	mid = -70000;
	c = GREEN;
	printf("%d %d %d\n", small, sign, mid);
	printf("%d %d %d\n", c == GREEN, c == BLUE, c < BLUE);
	exit(0);
}
