/* args: -r tests/pcap/resets.pcap -q */
/*
 * Resets whose sequence numbers do not fit end no handshake. An end that sends a reset in FIN_WAIT_2
 * or CLOSING is closed, and not in TIME_WAIT.
 */
tcp:::state-change
{
	printf("%d %d %s -> %s\n", args[3]->tcps_lport, args[3]->tcps_rport, tcp_state_string[args[5]->tcps_state],
	    tcp_state_string[args[3]->tcps_state]);
}

tcp:::connect-request, tcp:::connect-established, tcp:::accept-established, tcp:::reset-received, tcp:::retransmit
{
	printf("%d %d %s\n", args[3]->tcps_lport, args[3]->tcps_rport, probename);
}
