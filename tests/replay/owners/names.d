/* args: -x local=auto -r tests/pcap/owners.pcapng */
/* Names that comments tell, of the connection's later packets, too; of a container's whole id 12 digits. */
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
