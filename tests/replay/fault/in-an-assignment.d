/* args: -r tests/pcap/empty.pcap -q */
int y; BEGIN { x = 1; x = 7 / y; x = 3; } END { printf("%d\n", x); }
