/* args: -r tests/pcap/connections.pcap */
/* The FINs of each end: tcps_snxt and tcps_rnxt count them. */
#pragma D option quiet
tcp:::state-change
/args[3]->tcps_irs != 0/
{
	printf("%d %s %s sent %d received %d fin %d %d\n", args[3]->tcps_lport, tcp_state_string[args[5]->tcps_state],
	    tcp_state_string[args[3]->tcps_state], args[3]->tcps_snxt - args[3]->tcps_iss - 1,
	    args[3]->tcps_rnxt - args[3]->tcps_irs - 1, args[3]->tcps_fin_sent, args[3]->tcps_fin_received);
}
