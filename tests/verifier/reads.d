/* Reads all members of the probes of reading and writing. */
tcp:::read
/args[5]->read_queued > 1000/
{
	@[args[1]->cs_execname, args[2]->ip_saddr, args[4]->tcp_sport] = quantize(args[5]->read_queued);
	trace(args[0]->pkt_age); trace(args[5]->read_bytes); trace(args[3]->tcps_raddr); trace(args[2]->ip_plength);
}
udp:::read
{
	@u[args[1]->cs_execname, args[3]->udps_raddr, args[4]->udp_length] = quantize(args[5]->read_queued);
	trace(args[0]->pkt_addr); trace(args[2]->ip_daddr); trace(args[5]->read_bytes); trace(args[3]->udps_lport);
}
tcp:::write, udp:::write
{
	@w[pid, args[1]->cs_pid, args[2]->ip_ver] = sum(args[5]->write_bytes);
	trace(args[5]->write_error); trace(args[0]->pkt_age_from);
}
tcp:::write { trace(args[4]->tcp_dport); trace(args[3]->tcps_laddr); trace(args[2]->ip_daddr); }
udp:::write { trace(args[3]->udps_rport); trace(args[3]->udps_laddr); trace(args[4]->udp_dport); }
