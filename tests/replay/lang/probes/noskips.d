/* args: -q -x noskips -r tests/pcap/udp.pcap -Z */
/* Probes of live runs are left out, and not named. */
udp:::drop, tcp:::read
{
	n++;
}

udp:::receive
/!received++/
{
	printf("received\n");
}
