/* args: -q */
/* An inline's argument is converted to its parameter's type. */
int n;
inline uint64_t big = 0x1000002;
inline int both[uint64_t x, short y] = x != y;
inline int narrow[int8_t x] = x;
inline int below[long x] = x < 0;
BEGIN
{
	n = 0x10080;
	printf("%d %d\n", both[big, big], both[n, n]);
	printf("%d %d %d\n", narrow[n], narrow[0x180], narrow[n - 1]);
	printf("%d %d\n", below[(uint64_t)-1], below[(uint64_t)n - 0x10081]);
	exit(0);
}
