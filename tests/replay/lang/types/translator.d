/* args: -r tests/pcap/fields.pcapng -q */
struct in { int a; int b; };
struct out { int sum; string word; };
translator struct out < struct iphdr *I > { sum = I->ttl + I->protocol; word = I->ttl > 10 ? "far" : "near"; };
ip:::receive
/args[4] != NULL/
{
	printf("%d %s\n", (xlate <struct out *> (args[4]->ipv4_hdr))->sum, (xlate <struct out> (args[4]->ipv4_hdr)).word);
}
