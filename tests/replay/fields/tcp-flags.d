/* args: -r tests/pcap/segments.pcap -x local=192.0.2.2,2001:db8::2 */
#pragma D option quiet
/* The names of the flags. FreeBSD's tcpflag_string[] gives the name of the lowest flag that is set. */
tcp:::receive
{
	printf("%3d %s:%s%s%s%s%s%s%s%s\n", args[4]->tcp_flags, tcpflag_string[args[4]->tcp_flags],
	    args[4]->tcp_flags & TH_FIN ? " FIN" : "", args[4]->tcp_flags & TH_SYN ? " SYN" : "",
	    args[4]->tcp_flags & TH_RST ? " RST" : "", args[4]->tcp_flags & TH_PUSH ? " PUSH" : "",
	    args[4]->tcp_flags & TH_ACK ? " ACK" : "", args[4]->tcp_flags & TH_URG ? " URG" : "",
	    args[4]->tcp_flags & TH_ECE ? " ECE" : "", args[4]->tcp_flags & TH_CWR ? " CWR" : "");
}

BEGIN
{
	printf("%d %d %d %d %d %d %d %d, %d, %s, %d\n", TH_FIN, TH_SYN, TH_RST, TH_PUSH, TH_ACK, TH_URG, TH_ECE, TH_CWR,
	    TH_PSH, tcpflag_string[(uint8_t)0], TCP_MIN_HEADER_LENGTH);
}
