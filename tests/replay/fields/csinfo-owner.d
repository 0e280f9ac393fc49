/* args: -r tests/pcap/tcp.pcap -q */
tcp:::send, tcp:::receive, tcp:::connect-established, tcp:::accept-established
{
	@[probename, args[1]->cs_pid, args[1]->cs_execname, args[1]->cs_uid, args[1]->cs_netns,
	    args[1]->cs_cgroup, args[1]->cs_cid != 0] = count();
}

tcp:::state-change
{
	@[probename, args[1]->cs_pid, args[1]->cs_execname, args[1]->cs_uid, args[1]->cs_netns,
	    args[1]->cs_cgroup, args[1]->cs_cid != 0] = count();
}

ip:::send, ip:::receive
{
	@[probename, args[1]->cs_pid, args[1]->cs_execname, args[1]->cs_uid, args[1]->cs_netns,
	    args[1]->cs_cgroup, 0] = count();
}

END { printa("%s %d %s %u %d %d %d %@d\n", @); }
