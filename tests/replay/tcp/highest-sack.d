/* args: -r tests/pcap/sacks.pcap -q */
/* At tcp:::receive, the socket has the state before the segment. */
tcp:::receive
/args[3]->tcps_lport == 40000/
{
	printf("suna %d snxt %d fack %d\n", args[3]->tcps_suna, args[3]->tcps_snxt, args[3]->tcps_sack_fack);
}
