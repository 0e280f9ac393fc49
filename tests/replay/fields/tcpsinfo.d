/* args: -r tests/pcap/numbers.pcap -x local=192.0.2.1 */
#pragma D option quiet

BEGIN
{
	start = timestamp;
}

/* Values at 192.0.2.1: before it processes a received segment, and when it sends. */
tcp:::send, tcp:::receive
{
	printf("%3d %s %s %d.%d %s:%d %s:%d\n", (timestamp - start) / 1000000, probename,
	    tcp_state_string[args[3]->tcps_state], args[3]->tcps_active, args[3]->tcps_local,
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport);
	printf("    iss %d suna %d snxt %d smax %d swl1 %d swl2 %d swnd %d shift %d\n", args[3]->tcps_iss,
	    args[3]->tcps_suna, args[3]->tcps_snxt, args[3]->tcps_smax, args[3]->tcps_swl1, args[3]->tcps_swl2,
	    args[3]->tcps_swnd, args[3]->tcps_snd_ws);
	printf("    irs %d rnxt %d rack %d rup %d rwnd %d shift %d radv %d\n", args[3]->tcps_irs, args[3]->tcps_rnxt,
	    args[3]->tcps_rack, args[3]->tcps_rup, args[3]->tcps_rwnd, args[3]->tcps_rcv_ws, args[3]->tcps_radv);
	printf("    mss %d rto %d rtt %d +- %d srtt %d recent %d dups %d fack %d again %d\n", args[3]->tcps_mss,
	    args[3]->tcps_rto, args[3]->tcps_rtt, args[3]->tcps_rtt_sd, args[3]->tcps_srtt,
	    args[3]->tcps_ts_recent, args[3]->tcps_dupacks, args[3]->tcps_sack_fack, args[3]->tcps_retransmit);
}
