/* args: -r tests/pcap/tcp.pcap -x local=192.0.2.2 */
#pragma D option quiet
/* The previous state and the new state. */
tcp:::state-change
{
	printf("%s (%d) to %s (%d)\n", tcp_state_string[args[5]->tcps_state], args[5]->tcps_state,
	    tcp_state_string[args[3]->tcps_state], args[3]->tcps_state);
}
