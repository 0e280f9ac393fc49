/* args: -r tests/pcap/empty.pcap -q -x checked */
int a[string, int];
string s[string];
BEGIN { printf("ok\n"); }
