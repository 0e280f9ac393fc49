/*
 * udplite.d - UDP-Lite datagrams (RFC 3828) between sockets and IP.
 *
 * The owner of a socket is args[1]: cs_pid, cs_execname. The variables pid and execname are the
 * owner's at send only.
 *
 * The probes send and receive are those of udp, for protocol 136. On a kernel without UDP-Lite, the
 * probes exist and do not fire.
 */
#pragma D attributes Evolving/Evolving/ISA provider udplite provider
#pragma D attributes Private/Private/Unknown provider udplite module
#pragma D attributes Private/Private/Unknown provider udplite function
#pragma D attributes Evolving/Evolving/ISA provider udplite name
#pragma D attributes Evolving/Evolving/ISA provider udplite args

provider udplite {
	/* A socket sends a datagram, before fragmentation. */
	probe send(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udplitesinfo_t *(sk, ip, udp, out),
	    udpliteinfo_t *udp);
	/*
	 * A datagram has reached its socket, whose filter sees it next. The probe fires once for
	 * each socket that the datagram is for. No probe shows whether the socket then refuses it.
	 */
	probe receive(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udplitesinfo_t *(sk, ip, udp, out),
	    udpliteinfo_t *udp);
};

udplite:::send
	on replay:::udplite_send
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_l4, 1, args[0]->len)
or
	on cgroup_skb:::egress
	/ args[0]->sk != NULL && args[0]->sk->sk_protocol == IPPROTO_UDPLITE &&
	  args[0]->sk->sk_type == __SOCK_DGRAM /
	(args[0], args[0]->sk, __data_ip, __sealed ? NULL : (struct udphdr *)__noted_l4, 1, args[0]->len)
or
	on fbt::ip_finish_output:entry
	/ __out_own[IPPROTO_UDPLITE, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __out_own[IPPROTO_UDPLITE, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)
;

/* Raw sockets get a copy of the packet at the same hook. The guards leave these copies out. */
udplite:::receive
	on replay:::udplite_receive
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_l4, 0, args[0]->len)
or
	on cgroup_skb:::ingress
	/ args[0]->sk != NULL && args[0]->sk->sk_protocol == IPPROTO_UDPLITE &&
	  args[0]->sk->sk_type == __SOCK_DGRAM /
	(args[0], args[0]->sk, __data_ip, (struct udphdr *)__noted_l4, 0, args[0]->len)
or
	on fbt::sk_filter_trim_cap:entry
	/ __in_own[IPPROTO_UDPLITE, __SOCK_DGRAM] /
	(args[1], args[0], __ip_of[args[1]], (struct udphdr *)__l4_of[args[1]], 0, __len_of[args[1]])
;
