/* Reads all members of the net provider. */
net:::queue, net:::dequeue, net:::start-xmit, net:::rx
/args[0]->pkt_age > 1000/
{
	@[args[0]->pkt_addr, args[1]->cs_execname, args[2]->ip_saddr, args[3]->if_name, args[4]->net_qdisc] = count();
	printf("%x %d %d", args[4]->net_protocol, args[4]->net_length, args[4]->net_queue);
}
net:::xmit-done { @x[args[0]->pkt_addr, args[3]->if_name, args[4]->xmit_result] = sum(args[4]->xmit_length); }
net:::drop, net:::neigh-failed
{
	@d[args[1]->cs_pid, args[2]->ip_daddr, args[3]->if_name, args[5]->drop_reason] = count();
	trace(args[4]->net_qdisc); trace(args[4]->net_protocol);
}
net:::route
{
	@r[args[2]->ip_saddr, args[2]->ip_daddr, args[3]->if_name, args[4]->route_gateway, args[4]->route_table] = count();
	trace(args[4]->route_error); trace(args[2]->ip_ver);
}

net:::backlog, net:::gro
{
	@where[args[0]->pkt_addr, args[2]->ip_saddr, args[3]->if_name, args[4]->net_data] = count();
	printf("%x %d", args[4]->net_mark, args[4]->net_segments);
}

net:::gro-done
{
	@gro[args[0]->pkt_addr, args[1]->gro_result] = count();
}

net:::free
{
	@gone[args[0]->pkt_addr] = count();
}
