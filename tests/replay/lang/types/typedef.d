/* args: -r tests/pcap/empty.pcap -q */
typedef int number_t;
typedef number_t number2_t;
typedef uint16_t *short_ptr;
number2_t n;

BEGIN { n = (number_t)-5; printf("%d %d %d\n", n, sizeof(n), sizeof(short_ptr)); }
