/* args: -r tests/pcap/keepalives.pcap -q */
/*
 * Keep-alives and window probes of one byte are no retransmissions. Data and a SYN+ACK that are sent
 * again are. As in the kernel, tcp_retransmit_skb leaves out the SYN+ACK.
 */
tcp:::send
/args[3]->tcps_retransmit/
{
	printf("send       %d %s\n", args[4]->tcp_seq, tcp_retrans_string[args[3]->tcps_retransmit_kind]);
}

tcp:::retransmit
{
	printf("retransmit %d %s\n", args[4]->tcp_seq, tcp_retrans_string[args[3]->tcps_retransmit_kind]);
}

rawtp:::tcp_retransmit_skb { @["tcp_retransmit_skb"] = count(); }
mib:::tcpRetransSegs { @["tcpRetransSegs"] = count(); }
tcp:::send { @["segments"] = count(); }
tcp:::receive { @dups = max(args[3]->tcps_dupacks); }
