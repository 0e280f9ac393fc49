/* args: -r tests/pcap/empty.pcap -q */
int n;
string s;

BEGIN { printf("%d '%s' %d\n", n, s, s == ""); }
