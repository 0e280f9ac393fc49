/*
 * udp.d - datagrams between sockets and IP.
 */
#pragma D attributes Evolving/Evolving/ISA provider udp provider
#pragma D attributes Private/Private/Unknown provider udp module
#pragma D attributes Private/Private/Unknown provider udp function
#pragma D attributes Evolving/Evolving/ISA provider udp name
#pragma D attributes Evolving/Evolving/ISA provider udp args

provider udp {
	/*
	 * A socket sends a datagram. It fires once for each (with UDP_SEGMENT once for each call),
	 * before fragmentation.
	 */
	probe send(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    udpinfo_t *udp);
	/* A socket gets a datagram. It fires once for each socket that gets it. */
	probe receive(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    udpinfo_t *udp);

	/* The kernel drops a datagram without having used it. Linux's own; live only. */
	probe drop(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len, int reason, void *location) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    udpinfo_t *udp, dropinfo_t *(reason, location));
};

inline int __udp_socket = args[0]->sk != NULL && args[0]->sk->sk_protocol == IPPROTO_UDP &&
	args[0]->sk->sk_type == __SOCK_DGRAM;

udp:::send
	on replay:::udp_send
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_l4, 1, args[0]->len)
or
	on cgroup_skb:::egress
	/ __udp_socket && !__sealed /
	(args[0], args[0]->sk, __data_ip, (struct udphdr *)__noted_l4, 1, args[0]->len)

	on fbt::xfrm_output:entry
	/ __clear_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[1], args[1]->sk, __ip_of[args[1]], (struct udphdr *)__l4_of[args[1]], 1, args[1]->len)
or
	on cgroup_skb:::egress
	/ __udp_socket /
	(args[0], args[0]->sk, __data_ip, __sealed ? NULL : (struct udphdr *)__noted_l4, 1, args[0]->len)
or
	on fbt::ip_finish_output:entry
	/ __out_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __out_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)

	on fbt::xfrm_output:entry
	/ __clear_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[1], args[1]->sk, __ip_of[args[1]], (struct udphdr *)__l4_of[args[1]], 1, args[1]->len)
or
	on fbt::ip_finish_output:entry
	/ __out_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __out_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)
;

/* Raw sockets get a copy of their own at the same hook. */
udp:::receive
	on replay:::udp_receive
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_l4, 0, args[0]->len)
or
	on cgroup_skb:::ingress
	/ args[0]->sk != NULL && args[0]->sk->sk_protocol == IPPROTO_UDP &&
	  args[0]->sk->sk_type == __SOCK_DGRAM /
	(args[0], args[0]->sk, __data_ip, (struct udphdr *)__noted_l4, 0, args[0]->len)
or
	on fbt::sk_filter_trim_cap:entry
	/ __in_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[1], args[0], __ip_of[args[1]], (struct udphdr *)__l4_of[args[1]], 0, __len_of[args[1]])
;

inline int __dropped_udp = __dropped_l4[IPPROTO_UDP];
inline struct udphdr *__drop_udp = (struct udphdr *)__drop_l4[8];

udp:::drop
	on rawtp:::kfree_skb
	/ __dropped_udp && __is_drop /
	(args[0], args[3], __noted_ip, __drop_udp, __drop_out, __noted_len, args[2], args[1])
or
	on rawtp:::kfree_skb
	/ __dropped_udp && __is_early_drop /
	(args[0], NULL, __noted_ip, __drop_udp, __drop_out, __noted_len, args[2], args[1])
;
