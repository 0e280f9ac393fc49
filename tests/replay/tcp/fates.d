/* args: -r tests/pcap/connections.pcap -q */
tcp:::state-change
{
	printf("%s:%d %s:%d %d -> %d\n", args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr,
	    args[3]->tcps_rport, args[5]->tcps_state, args[3]->tcps_state);
}
tcp:::connect-request, tcp:::connect-established, tcp:::connect-refused, tcp:::accept-established,
tcp:::accept-refused
{
	printf("%s:%d %s:%d %s, flags %x, state %d, active %d\n", args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, probename, args[4]->tcp_flags, args[3]->tcps_state,
	    args[3]->tcps_active);
}
