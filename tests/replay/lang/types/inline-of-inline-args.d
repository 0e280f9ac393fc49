/* args: -r tests/pcap/udp.pcap -q */
inline int LEN = args[2]->ip_plength;
inline int TWICE = LEN * 2;
inline int MORE[int n] = TWICE + n;

ip:::send
{
	printf("%d %d %d\n", LEN, TWICE, MORE[1]);
	exit(0);
}
