/* args: -r tests/pcap/empty.pcap -q */
enum colour { RED, GREEN = 5, BLUE };
struct point { int x; union { int y; short z; }; unsigned f : 3; };
typedef enum colour colour_t;

BEGIN
{
	printf("%d %d %d %d\n", RED, GREEN, BLUE, sizeof(colour_t));
	printf("%d %d %d\n", sizeof(struct point), offsetof(struct point, y), offsetof(struct point, z));
}
