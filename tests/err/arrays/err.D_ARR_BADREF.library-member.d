/* args: -r tests/pcap/empty.pcap -q -x errtags */
tcp:::send
{
	trace(args[3]->tcps_raddr[0, 1]);
}
