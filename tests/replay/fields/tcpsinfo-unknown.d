/* args: -r tests/pcap/numbers.pcap -x local=192.0.2.1 */
#pragma D option quiet
/* Values that are in no capture. */
tcp:::receive
/args[4]->tcp_flags & TH_URG/
{
	printf("cwnd %d ssthresh %d rtttime %d rtseq %d debug %d cookie %d\n", args[3]->tcps_cwnd,
	    args[3]->tcps_cwnd_ssthresh, args[3]->tcps_rtttime, args[3]->tcps_rtseq, args[3]->tcps_debug,
	    args[3]->tcps_cookie);
	printf("high: recover %d sack next %d\n", args[3]->tcps_srecover, args[3]->tcps_sack_snxt);
	printf("%d\n", args[3]->tcps_addr == args[1]->cs_addr && args[1]->cs_addr != 0);
}
