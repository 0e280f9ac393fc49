/*
 * Probes of ip, tcp and udp, with fields that must be equal whichever hook fires the probe. Some
 * kernels do not tell which TIME_WAIT socket a segment belongs to, and then the state is closed.
 * So the program shows TIME_WAIT as closed on all kernels. Events of other namespaces are left out,
 * because those of a busy machine would fill the aggregations.
 */
inline int OURS[string a] = strstr(a, "10.253.") == a || strstr(a, "fd53:") == a;

ip:::send,
ip:::receive
/OURS[args[2]->ip_saddr] || OURS[args[2]->ip_daddr]/
{
	@ip[probename, args[3]->if_name, args[3]->if_local, args[2]->ip_ver, args[2]->ip_saddr,
	    args[2]->ip_daddr, args[2]->ip_plength, args[4]->ipv4_flags, args[4]->ipv4_ttl,
	    args[5]->ipv6_nexthdr, args[5]->ipv6_hlim, args[4]->ipv4_protocol] = count();
}

tcp:::send,
tcp:::receive
/OURS[args[2]->ip_saddr] || OURS[args[2]->ip_daddr]/
{
	@seg[probename, args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport,
	    args[4]->tcp_flags, args[2]->ip_plength - args[4]->tcp_offset] = count();
	@side[probename, args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr,
	    args[3]->tcps_rport, args[3]->tcps_state == TCP_STATE_TIME_WAIT ? "state-closed" :
	    tcp_state_string[args[3]->tcps_state], args[3]->tcps_local] = count();
}

tcp:::connect-request,
tcp:::connect-established,
tcp:::connect-refused,
tcp:::accept-established,
tcp:::accept-refused
/OURS[args[2]->ip_saddr] || OURS[args[2]->ip_daddr]/
{
	@conn[probename, args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport,
	    args[4]->tcp_flags, args[3]->tcps_lport, tcp_state_string[args[3]->tcps_state]] = count();
}

tcp:::state-change
/OURS[args[3]->tcps_laddr]/
{
	@state[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_rport,
	    tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]] = count();
}

udp:::send,
udp:::receive
/OURS[args[2]->ip_saddr] || OURS[args[2]->ip_daddr]/
{
	@udp[probename, args[2]->ip_saddr, args[4]->udp_sport, args[2]->ip_daddr, args[4]->udp_dport,
	    args[4]->udp_length, args[2]->ip_plength, args[3]->udps_lport, args[3]->udps_raddr] = count();
}

END
{
	printa("ip %s %s local=%d v%d %s > %s plength=%d flags=%d ttl=%d next=%d hlim=%d proto=%d: %@d\n", @ip);
	printa("tcp %s %s:%d > %s:%d flags=%x data=%d: %@d\n", @seg);
	printa("tcp %s at %s:%d peer %s:%d %s local=%d: %@d\n", @side);
	printa("tcp %s %s:%d > %s:%d flags=%x lport=%d %s: %@d\n", @conn);
	printa("tcp state-change %s:%d peer :%d %s > %s: %@d\n", @state);
	printa("udp %s %s:%d > %s:%d length=%d plength=%d lport=%d raddr=%s: %@d\n", @udp);
}
