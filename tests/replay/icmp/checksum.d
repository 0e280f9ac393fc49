/* args: -r tests/pcap/icmp.pcap */
/* The checksum that tshark shows. */
#pragma D option quiet

icmp:::send
/ n++ < 4 /
{
	printf("0x%04x\n", args[4]->icmp_checksum);
}
