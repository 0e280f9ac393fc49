/* args: -r tests/pcap/dnstcp.pcap -q */
/* DNS over TCP: where each message begins, and bytes that are not a message. */
dns:::query, dns:::response
{
	printf("%-8s %d %2d %04x %s %s %d ", probename, args[4]->dns_tcp, args[4]->dns_id, args[4]->dns_flags, args[4]->dns_name,
	    args[4]->dns_typestr, args[4]->dns_answers);
	printf("%s:%d %s:%d %d\n", args[3]->udps_laddr, args[3]->udps_lport, args[3]->udps_raddr, args[3]->udps_rport,
	    args[4]->dns_latency);
}
