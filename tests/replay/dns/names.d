/* args: -r tests/pcap/dns.pcap -q */
/* Names as text: no byte ends a line. Reading a name that was not captured is a fault; the probe still fires. */
int n;
dns:::query { n++; }
dns:::query
{
	printf("%d %d %s %s %d\n", args[4]->dns_id, args[4]->dns_type, args[4]->dns_typestr, args[4]->dns_name,
	    args[4]->dns_class);
}
dns:::response /args[4]->dns_name == "www.example.org"/ { @[args[4]->dns_typestr, args[4]->dns_class] = count(); }
END { printf("%d queries\n", n); printa("%s %d %@d\n", @); }
