/* args: -r tests/pcap/seconds.pcap */
#pragma D option quiet
int i;

/* The numbers of Linux under both sets of names, and the table of state names. */
BEGIN
{
	printf("%d %d %d %d %d %d %d %d %d %d %d\n", TCP_STATE_CLOSED, TCP_STATE_LISTEN, TCP_STATE_SYN_SENT,
	    TCP_STATE_SYN_RECEIVED, TCP_STATE_ESTABLISHED, TCP_STATE_CLOSE_WAIT, TCP_STATE_FIN_WAIT_1,
	    TCP_STATE_CLOSING, TCP_STATE_LAST_ACK, TCP_STATE_FIN_WAIT_2, TCP_STATE_TIME_WAIT);
	printf("%d %d %d %d %d %d %d %d %d %d %d\n", TCPS_CLOSED, TCPS_LISTEN, TCPS_SYN_SENT, TCPS_SYN_RECEIVED,
	    TCPS_ESTABLISHED, TCPS_CLOSE_WAIT, TCPS_FIN_WAIT_1, TCPS_CLOSING, TCPS_LAST_ACK, TCPS_FIN_WAIT_2,
	    TCPS_TIME_WAIT);
	printf("%s %s\n", tcp_state_string[TCP_STATE_IDLE], tcp_state_string[TCP_STATE_BOUND]);
}

tick-100ms
/i < 13/
{
	printf("%d %s\n", i, tcp_state_string[i]);
	i++;
}
