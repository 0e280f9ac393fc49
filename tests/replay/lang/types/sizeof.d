/* args: -r tests/pcap/empty.pcap -q */
typedef struct pair { int a; char b; } pair_t;

BEGIN
{
	printf("%d %d %d %d %d\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long));
	printf("%d %d %d %d\n", sizeof(int8_t), sizeof(uint16_t), sizeof(size_t), sizeof(void *));
	printf("%d %d %d\n", sizeof(string), sizeof("abc"), sizeof(pair_t));
	printf("%d %d\n", sizeof(struct pair *), offsetof(pair_t, b));
	printf("%d %d\n", sizeof(timestamp), sizeof(pid));
	this->x = sizeof(int) * 2;
	printf("%d\n", this->x);
}
