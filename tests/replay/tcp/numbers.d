/* args: -r tests/pcap/tcpoptions.pcap -q */
tcp:::send, tcp:::receive
{
	printf("%-7s iss %d irs %d una %d nxt %d rnxt %d rack %d radv %d ", probename, args[3]->tcps_iss,
	    args[3]->tcps_irs, args[3]->tcps_suna, args[3]->tcps_snxt, args[3]->tcps_rnxt, args[3]->tcps_rack,
	    args[3]->tcps_radv);
	printf("swnd %d/%d rwnd %d/%d mss %d stamp %d ", args[3]->tcps_swnd, args[3]->tcps_snd_ws,
	    args[3]->tcps_rwnd, args[3]->tcps_rcv_ws, args[3]->tcps_mss, args[3]->tcps_ts_recent);
	printf("again %d rtt %d sd %d srtt %d rto %d dup %d fack %d recover %d\n", args[3]->tcps_retransmit,
	    args[3]->tcps_rtt, args[3]->tcps_rtt_sd, args[3]->tcps_srtt, args[3]->tcps_rto,
	    args[3]->tcps_dupacks, args[3]->tcps_sack_fack, args[3]->tcps_srecover);
}
