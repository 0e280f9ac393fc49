/* args: -r tests/pcap/dnscuts.pcap -q */
/*
 * DNS over TCP: a message whose length and header are in several segments is found in the segment
 * that completes the header. The name is known if the rest of it is in that segment.
 */
dns:::query, dns:::response
{
	printf("%-8s %5d %2d %s %s %s %d\n", probename, args[3]->udps_lport, args[4]->dns_id, args[4]->dns_name,
	    args[4]->dns_typestr, args[4]->dns_rcodestr, args[4]->dns_latency);
}
