/* args: -q -r tests/pcap/empty.pcap */
/* Names in an inline are resolved where it is defined: the caller's parameters are not visible. */
int y;
inline int plus_y[int x] = y + x;
inline int of_y[int y] = plus_y[1] * 100 + y;

/* The inputs of a translator are not visible in an inline that its members use either. */
typedef struct pair {
	int first;
	int second;
} pair_t;
inline int x_here = y;
translator pair_t < int y, int second > {
	first = y;
	second = x_here;
};

BEGIN
{
	y = 7;
	printf("%d %d\n", of_y[41], plus_y[y]);
	printf("%d %d\n", xlate<pair_t>(3).first, xlate<pair_t>(3).second);
	exit(0);
}
