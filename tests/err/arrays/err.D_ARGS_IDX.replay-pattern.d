/* args: -r tests/pcap/udp.pcap */
/* Of the probes that match, only some have a third argument, and no provider declares them together. */
replay:::*_send
{
	trace(args[2]);
}
