/* args: -r tests/pcap/udp.pcap */
#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", tcpdebug_dir_string[TA_INPUT], tcpdebug_dir_string[TA_DROP], tcpdebug_dir_string[9]);
	printf("%s %s %s %s\n", prureq_string[PRU_ATTACH], prureq_string[PRU_SEND_EOF], prureq_string[25],
	    prureq_string[26]);
	printf("%s %s %s\n", tcpflag_string[TH_SYN | TH_ACK], tcpflag_string[TH_CWR], tcpflag_string[0]);
	printf("%d %d %d %d %d\n", INP_IPV4, INP_IPV6, UDPH_SIZE, ARPHRD_ETHER, ARPHRD_INFINIBAND);
	exit(0);
}
