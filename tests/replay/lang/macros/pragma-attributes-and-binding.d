/* args: -r tests/pcap/empty.pcap -q */
#pragma D attributes Stable/Stable/Common x
#pragma D binding "1.2" y
int x;
int y;
BEGIN { x = 1; y = 2; printf("%d %d\n", x, y); }
