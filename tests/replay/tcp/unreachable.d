/* args: -r tests/pcap/unreachable.pcap */
/* An ICMP error about the SYN closes the socket, also if the program has no probe for ICMP. */
#pragma D option quiet

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT/
{
	printf("%d %s %d\n", args[3]->tcps_lport, tcp_state_string[args[3]->tcps_state],
	    ((struct sock *)args[3]->tcps_addr)->sk_err);
}

tcp:::destroy
/args[3]->tcps_rport == 80/
{
	@["sockets of clients that ended"] = count();
}

tcp:::connect-refused
{
	printf("%d refused by a reset\n", args[3]->tcps_lport);
}
