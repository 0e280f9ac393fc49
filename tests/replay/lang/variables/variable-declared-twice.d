/* args: -q -r tests/pcap/empty.pcap */
int x;
int x;
BEGIN { y = 1; x = y + 1; printf("%d\n", x); exit(0); }
int y;
