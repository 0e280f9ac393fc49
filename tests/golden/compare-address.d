ip:::receive
/args[2]->ip_saddr == "192.0.2.1"/
{
	@["bytes", args[4]->ipv4_protostr] = sum(args[2]->ip_plength);
}
