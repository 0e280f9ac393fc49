/* args: -r tests/pcap/strayerrors.pcap */
/* An ICMP error closes the socket only of the host that gets it, and that can read it. */
#pragma D option quiet

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT/
{
	printf("%d %s %d\n", args[3]->tcps_lport, tcp_state_string[args[3]->tcps_state],
	    ((struct sock *)args[3]->tcps_addr)->sk_err);
}
