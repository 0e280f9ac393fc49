/* args: -r tests/pcap/dnsedns.pcap -q */
/* Results above 15: their upper bits are in an OPT record, if it is the first record. */
dns:::response
{
	printf("%d %d %s %x %s\n", args[4]->dns_id, args[4]->dns_rcode, args[4]->dns_rcodestr, args[4]->dns_flags,
	    args[4]->dns_name);
}
