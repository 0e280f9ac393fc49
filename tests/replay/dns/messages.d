/* args: -r tests/pcap/dns.pcap -q */
/* The provider's messages: ports, headers, and both ends. */
dns:::query, dns:::response
{
	printf("%-8s %2d %04x %d.%d %s %d ", probename, args[4]->dns_id, args[4]->dns_flags, args[4]->dns_opcode,
	    args[4]->dns_rcode, args[4]->dns_rcodestr, args[4]->dns_answers);
	printf("%s:%d %s:%d %d %d\n", args[3]->udps_laddr, args[3]->udps_lport, args[3]->udps_raddr, args[3]->udps_rport,
	    args[2]->ip_plength, args[4]->dns_latency);
}
