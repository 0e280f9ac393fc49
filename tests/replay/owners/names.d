/* args: -x local=auto -r tests/pcap/owners.pcapng */
/* Names in comments also apply to later packets of the connection. A full container ID is cut to 12 digits. */
#pragma D option quiet

tcp:::send, tcp:::receive
{
	printf("%s %d %s %s %s %s\n", probename, args[1]->cs_pid, args[1]->cs_user, args[1]->cs_cgroup_path,
	    args[1]->cs_container, args[1]->cs_netns_name);
}

tcp:::send
/args[1]->cs_user == "alice" && strstr(args[1]->cs_cgroup_path, "docker") != NULL/
{
	@[args[1]->cs_user, strlen(args[1]->cs_container)] = count();
}

udp:::send
{
	@[args[1]->cs_user, strlen(args[1]->cs_container)] = count();
}
