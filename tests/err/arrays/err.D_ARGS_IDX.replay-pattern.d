/* args: -r tests/pcap/udp.pcap */
/* Only some of the matching probes have a third argument, and no provider declares all of them. */
replay:::*_send
{
	trace(args[2]);
}
