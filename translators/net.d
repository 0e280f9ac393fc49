/*
 * net.d - names that every network provider shares.
 *
 * The values are those of Linux. Other systems use other values, so portable programs use the
 * names.
 */

typedef struct in6_addr in6_addr_t;

inline int AF_INET = 2;
inline int AF_INET6 = 10;

inline int IPPROTO_IP = 0;
inline int IPPROTO_HOPOPTS = 0;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_IGMP = 2;
inline int IPPROTO_IPIP = 4;
inline int IPPROTO_IPV4 = 4;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_EGP = 8;
inline int IPPROTO_PUP = 12;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_IDP = 22;
inline int IPPROTO_TP = 29;
inline int IPPROTO_DCCP = 33;
inline int IPPROTO_IPV6 = 41;
inline int IPPROTO_ROUTING = 43;
inline int IPPROTO_FRAGMENT = 44;
inline int IPPROTO_RSVP = 46;
inline int IPPROTO_GRE = 47;
inline int IPPROTO_ESP = 50;
inline int IPPROTO_AH = 51;
inline int IPPROTO_MOBILE = 55;
inline int IPPROTO_ICMPV6 = 58;
inline int IPPROTO_NONE = 59;
inline int IPPROTO_DSTOPTS = 60;
inline int IPPROTO_OSPF = 89;
inline int IPPROTO_MTP = 92;
inline int IPPROTO_BEETPH = 94;
inline int IPPROTO_ETHERIP = 97;
inline int IPPROTO_ENCAP = 98;
inline int IPPROTO_PIM = 103;
inline int IPPROTO_COMP = 108;
inline int IPPROTO_IPCOMP = 108;
inline int IPPROTO_SCTP = 132;
inline int IPPROTO_MH = 135;
inline int IPPROTO_UDPLITE = 136;
inline int IPPROTO_RAW = 255;
inline int IPPROTO_MAX = 263;

inline int INP_IPV4 = 1;
inline int INP_IPV6 = 2;
inline int UDPH_SIZE = 8;
inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;
inline int IPH_DF = 0x4000;
inline int IPH_MF = 0x2000;
inline int IFF_LOOPBACK = 0x8;

/* The text of ipv4_protostr and ipv6_nextstr: the name of protocol @p, or @p as a number. */
inline string __protostr[int p] =
	p == 6 ? "TCP" : p == 17 ? "UDP" : p == 1 ? "ICMP" : p == 58 ? "ICMPv6" :
	p == 0 ? "IP" : p == 2 ? "IGMP" : p == 8 ? "EGP" : p == 41 ? "IPv6" :
	p == 43 ? "ROUTE" : p == 50 ? "ESP" : p == 51 ? "AH" : p == 89 ? "OSPF" :
	p == 103 ? "PIM" : p == 132 ? "SCTP" : p == 255 ? "RAW" : lltostr(p);

/* FreeBSD's table of protocol names. */
inline string protocols[int p] =
	p == 0 ? "IP" : p == 1 ? "ICMP" : p == 2 ? "IGMP" : p == 4 ? "IPV4" : p == 6 ? "TCP" :
	p == 17 ? "UDP" : p == 41 ? "IPV6" : p == 43 ? "ROUTING" : p == 44 ? "FRAGMENT" :
	p == 46 ? "RSVP" : p == 47 ? "GRE" : p == 50 ? "ESP" : p == 51 ? "AH" : p == 55 ? "MOBILE" :
	p == 58 ? "ICMPV6" : p == 60 ? "DSTOPTS" : p == 97 ? "ETHERIP" : p == 103 ? "PIM" :
	p == 108 ? "IPCOMP" : p == 132 ? "SCTP" : p == 255 ? "RAW" : "<unknown>";

/* include/uapi/linux/if_ether.h, if_packet.h; include/linux/netdevice.h, net.h, net/tcp_states.h */
inline int __ETH_P_IP = 0x0800;
inline int __ETH_P_IPV6 = 0x86dd;
inline int __ETH_P_8021Q = 0x8100;
inline int __ETH_P_8021AD = 0x88a8;
inline int __IPPROTO_L2TP = 115;
inline int __PACKET_OTHERHOST = 3;
inline int __PACKET_OUTGOING = 4;
inline int __AF_PACKET = 17;
inline int __SOCK_RAW = 3;
inline int __IFF_SLAVE = 0x800;
inline int __IFF_BRIDGE_PORT = 0x200;
inline int __IFF_SWITCHED = 0x2600;     /* the device is a port of a bridge, Open vSwitch or team */
inline int __SOCK_STREAM = 1;
inline int __SOCK_DGRAM = 2;

/*
 * Inlines for hooks whose first argument is an sk_buff. __data_ip is the IP header, if the packet's
 * data begins with this header. __noted_* use the offsets of headers that the stack has recorded in
 * the sk_buff.
 */
inline struct iphdr *__data_ip = (struct iphdr *)args[0]->data;
inline struct iphdr *__noted_ip = (struct iphdr *)(args[0]->head + args[0]->network_header);
inline unsigned char *__noted_l4 = args[0]->head + args[0]->transport_header;

inline uint32_t __noted_len = args[0]->len + (uint32_t)(args[0]->data - args[0]->head) -
	args[0]->network_header;

/*
 * The protocol after IP header @h. In IPv6, one header with options may precede the protocol: the
 * kernel itself adds such a header to packets over 64 KB.
 */
inline int __ip_protocol[struct iphdr *h] = h->version == 4 ? h->protocol :
	((struct ipv6hdr *)h)->nexthdr != IPPROTO_HOPOPTS && ((struct ipv6hdr *)h)->nexthdr != IPPROTO_DSTOPTS ?
	((struct ipv6hdr *)h)->nexthdr : *((unsigned char *)h + 40);
inline int __noted_protocol = __ip_protocol[__noted_ip];

inline struct iphdr *__ip_of[struct sk_buff *s] = (struct iphdr *)(s->head + s->network_header);
inline unsigned char *__l4_of[struct sk_buff *s] = s->head + s->transport_header;

/*
 * The header after IP header @h, if its protocol has ports in the first four bytes, as TCP and UDP
 * have. NULL for other protocols, for fragments other than the first, and if the ports are not in
 * the linear buffer of @s. @h may be up to __L4_SLACK bytes before the current data.
 */
inline int __L4_SLACK = 256;
inline int __has_ports[int p] = p == IPPROTO_TCP || p == IPPROTO_UDP || p == IPPROTO_UDPLITE || p == IPPROTO_SCTP ||
	p == IPPROTO_DCCP;
inline uint32_t __ip_hlen[struct iphdr *h] = h->version == 4 ? h->ihl * 4 :
	((struct ipv6hdr *)h)->nexthdr == IPPROTO_HOPOPTS || ((struct ipv6hdr *)h)->nexthdr == IPPROTO_DSTOPTS ?
	48 + *((unsigned char *)h + 41) * 8 : 40;
inline void *__l4_behind[struct sk_buff *s, struct iphdr *h] = __has_ports[__ip_protocol[h]] &&
	!(h->version == 4 && (h->frag_off & htons(0x1fff))) &&
	(uint64_t)((uintptr_t)h - (uintptr_t)s->data) + __L4_SLACK + __ip_hlen[h] + 4 <=
	(uint64_t)(s->len - s->data_len) + __L4_SLACK ?
	(void *)((unsigned char *)h + __ip_hlen[h]) : NULL;

inline uint32_t __len_of[struct sk_buff *s] = s->len + (uint32_t)(s->data - s->head) - s->network_header;

/*
 * The length of a packet without and with its IP header, as the header says (__ip_says_*). They use
 * @len, the number of bytes from the header to the end of the packet, if the packet is too long for
 * the header's length field. __is_jumbo tells whether an IPv6 packet is too long for this field. A
 * payload length of 0 does not suffice: a short packet without payload has it too, and may be
 * followed by padding of the frame. With hop-by-hop options, a payload length of 0 never means that
 * there is no payload.
 */
inline int __is_jumbo[struct iphdr *h, uint32_t len] = ((struct ipv6hdr *)h)->payload_len == 0 &&
	(len > 65575 || ((struct ipv6hdr *)h)->nexthdr == IPPROTO_HOPOPTS);
/*
 * Length of the header with the jumbo option (RFC 2675), which Linux adds to a packet over 64 KB.
 * Linux removes this header when it cuts the packet, so segments do not have it.
 */
inline uint32_t __jumbo_options[struct iphdr *h, uint32_t len] =
	len > 65575 && ((struct ipv6hdr *)h)->nexthdr == IPPROTO_HOPOPTS ? 8 : 0;
inline uint32_t __ip_says_plength[struct iphdr *h, uint32_t len] =
	h->version == 4 ? (h->tot_len ? ntohs(h->tot_len) : len) - h->ihl * 4 :
	__is_jumbo[h, len] ? len - 40 - __jumbo_options[h, len] : ntohs(((struct ipv6hdr *)h)->payload_len);
inline uint32_t __ip_says_length[struct iphdr *h, uint32_t len] =
	h->version == 4 ? (h->tot_len ? ntohs(h->tot_len) : len) :
	__is_jumbo[h, len] ? len : ntohs(((struct ipv6hdr *)h)->payload_len) + 40;

/*
 * The same lengths, at most those of the packet, and never negative. In a live run, the header may
 * say anything: it may be that of a packet which IP drops, or which a raw socket sends. In replay, IP
 * has accepted the header (engine/replay/dissect.c).
 */
inline uint32_t __ip_length[struct iphdr *h, uint32_t len] = !__live || __ip_says_length[h, len] <= len ?
	__ip_says_length[h, len] : len;
inline uint32_t __ip_fixed[struct iphdr *h] = h->version == 4 ? h->ihl * 4 : 40;
inline uint32_t __ip_plength[struct iphdr *h, uint32_t len] =
	!__live || (__ip_says_length[h, len] <= len && __ip_says_length[h, len] >= __ip_fixed[h]) ?
	__ip_says_plength[h, len] : __ip_length[h, len] < __ip_fixed[h] ? 0 : __ip_length[h, len] - __ip_fixed[h];

inline string __ip_source[struct iphdr *h] = h == NULL ? "<unknown>" :
	h->version == 4 ? inet_ntoa(&h->saddr) : inet_ntoa6(&((struct ipv6hdr *)h)->saddr);
inline string __ip_dest[struct iphdr *h] = h == NULL ? "<unknown>" :
	h->version == 4 ? inet_ntoa(&h->daddr) : inet_ntoa6(&((struct ipv6hdr *)h)->daddr);

/* Link types of pcap( ). */
inline int PCAP_NULL = 0;
inline int PCAP_ETHER = 1;
inline int PCAP_PPP = 9;
inline int PCAP_IP = 12;
inline int PCAP_WIFI = 105;
inline int PCAP_IPOIB = 242;

/*
 * What pcap(skb, link) writes. __pcap_at is the start of the packet: the IP header if @link is
 * PCAP_IP, else the link header. If the stack has not recorded the link header, the packet is
 * written as PCAP_IP. __pcap_wire is the length of the packet; its first __pcap_there bytes are in
 * the linear buffer.
 */
inline uint32_t __data_off[struct sk_buff *s] = (uint32_t)(s->data - s->head);
inline int __pcap_link[struct sk_buff *s, int link] = s->mac_header <= __data_off[s] ? link : PCAP_IP;
inline uint32_t __pcap_off[struct sk_buff *s, int link] = __pcap_link[s, link] != PCAP_IP ? s->mac_header :
	s->network_header != 0 && s->network_header != 65535 ? s->network_header : __data_off[s];
inline unsigned char *__pcap_at[struct sk_buff *s, int link] = s->head + __pcap_off[s, link];
inline int __pcap_wire[struct sk_buff *s, int link] = s->len + __data_off[s] - __pcap_off[s, link];
inline int __pcap_there[struct sk_buff *s, int link] = __pcap_wire[s, link] - s->data_len;

/*
 * The address of this host (near), and of the other host (far). @out: this host sends the packet.
 */
inline string __near_addr[struct iphdr *h, int out] = out ? __ip_source[h] : __ip_dest[h];
inline string __far_addr[struct iphdr *h, int out] = out ? __ip_dest[h] : __ip_source[h];

/*
 * Does the cgroup hook see this packet of a socket? From Linux 6.13 on, it misses resets and ACKs
 * over IPv6 that the stack sends in place of a TCP socket. They have no time stamp, and segments
 * that the socket itself sends have one. Over IPv4 and in older kernels, such a reset or ACK does
 * not belong to the socket, or the hook sees it. In replay (namespace 0), a time stamp may be 0, so
 * it is not tested.
 */
inline int __tx_stamped = args[0]->protocol != htons(__ETH_P_IPV6) ||
	args[0]->sk->__sk_common.skc_state == __TCP_NEW_SYN_RECV ||
	args[0]->sk->sk_type != __SOCK_STREAM || args[0]->sk->sk_protocol != IPPROTO_TCP ||
	args[0]->tstamp != 0 || args[0]->dev->nd_net.net->ns.inum == 0;

/*
 * Is the packet a retransmitted SYN+ACK of Fast Open over IPv6? The kernel skips the cgroup hook,
 * because it sends the packet with the child socket, but the packet belongs to the request socket.
 */
inline int __synack_again = args[0]->protocol == htons(__ETH_P_IPV6) &&
	args[0]->sk->__sk_common.skc_state == __TCP_NEW_SYN_RECV &&
	((struct tcp_request_sock *)args[0]->sk)->tfo_listener;

/*
 * __sealed: IPsec may have encrypted the socket's packet, so that its ports cannot be read. The
 * cgroup_skb egress hook comes after IPsec. With function tracing, a program sees the packet before
 * IPsec, at xfrm_output(sk, skb). If the packet already has a device there, a tunnel device sent
 * it, and it does not count as the socket's own (__clear_own).
 */
inline int __seals[int protocol] = protocol == IPPROTO_ESP || protocol == IPPROTO_AH ||
	protocol == IPPROTO_COMP || protocol == IPPROTO_IPIP || protocol == IPPROTO_IPV6 || protocol == IPPROTO_UDP;
inline int __is_sealed[int protocol, struct udphdr *u, struct sock *s] = protocol != s->sk_protocol ?
	__seals[protocol] :
	protocol == IPPROTO_UDP && u->source == htons(4500) && ((struct inet_sock *)s)->inet_sport != htons(4500);
inline int __sealed = __is_sealed[__ip_protocol[__data_ip], (struct udphdr *)__noted_l4, args[0]->sk];
inline struct sock *__clear_sk =
	args[1]->sk == NULL || args[1]->sk->__sk_common.skc_state == TCP_STATE_TIME_WAIT ? NULL :
	args[1]->sk->__sk_common.skc_state == __TCP_NEW_SYN_RECV ? args[1]->sk->__sk_common.skc_listener :
	args[1]->sk;
inline int __clear_own[int protocol, int type] = __clear_sk != NULL && args[1]->dev == NULL &&
	__clear_sk->sk_protocol == protocol && __clear_sk->sk_type == type;

/*
 * Is the packet the outer packet of a tunnel, with the socket's packet inside? The kernel calls the
 * cgroup hook only for the inner packet. A packet that IPsec made, also one in UDP to port 4500, is
 * the socket's own packet, and not an outer packet.
 */
inline int __sent_protocol = args[0]->sk->__sk_common.skc_state == __TCP_NEW_SYN_RECV ? IPPROTO_TCP :
	args[0]->sk->sk_protocol;
inline int __is_carrier[int protocol] = protocol != __sent_protocol && __sent_protocol != IPPROTO_RAW &&
	(args[0]->sk->__sk_common.skc_family == AF_INET || args[0]->sk->__sk_common.skc_family == AF_INET6) &&
	(protocol == IPPROTO_GRE || protocol == IPPROTO_IPIP || protocol == IPPROTO_IPV6 || protocol == __IPPROTO_L2TP ||
	 (protocol == IPPROTO_UDP && ((struct udphdr *)__noted_l4)->dest != htons(4500)));
inline int __carries = __is_carrier[__noted_protocol] ||
	(args[0]->inner_network_header != 0 && __sent_protocol == IPPROTO_UDP && __noted_protocol == IPPROTO_UDP &&
	 ((struct udphdr *)__noted_l4)->source != ((struct inet_sock *)args[0]->sk)->inet_sport);

/*
 * Does the frame have the device's own address as its source? If not, the frame comes from a device
 * above this one (macvlan), or is forwarded.
 */
inline unsigned char *__mac_source = args[0]->head + args[0]->mac_header + 6;
inline int __own_frame = args[0]->dev->type != ARPHRD_ETHER ||
	(*(uint32_t *)__mac_source == *(uint32_t *)args[0]->dev->dev_addr &&
	 *(uint16_t *)(__mac_source + 4) == *(uint16_t *)(args[0]->dev->dev_addr + 4));

/*
 * At net_dev_queue: is args[0] an IP packet that the cgroup's egress hook does not see? Each packet
 * counts once: if a device below a bridge, bond, VLAN or macvlan device queues the packet again,
 * the answer is no. @carries: args[0] is the outer packet of a tunnel.
 */
inline int __unseen[int carries] =
	(args[0]->protocol == htons(__ETH_P_IP) || args[0]->protocol == htons(__ETH_P_IPV6)) &&
	(args[0]->sk == NULL || args[0]->sk->__sk_common.skc_state == TCP_STATE_TIME_WAIT || !__tx_stamped ||
	 __synack_again || carries) &&
	args[0]->vlan_proto == 0 && !(args[0]->dev->flags & __IFF_SLAVE) &&
	!(args[0]->dev->priv_flags & __IFF_SWITCHED) && __own_frame;
inline int __unseen_send = __unseen[__carries];

/*
 * At kfree_skb: is args[0] a copy for a packet socket or a raw socket? Freeing a copy is no drop,
 * because the receiver gets the packet itself. A copy for a packet socket has the type
 * PACKET_OUTGOING if this host sends the packet. It has no device if it is in the socket's queue. A
 * copy for a raw socket is a received packet of TCP or UDP, which TCP or UDP gets too.
 */
inline int __is_copy = args[0]->pkt_type == __PACKET_OUTGOING || (__full[args[0]->sk] &&
	(args[0]->sk->__sk_common.skc_family == __AF_PACKET ? args[0]->dev == NULL :
	 args[0]->sk->sk_type == __SOCK_RAW && args[0]->skb_iif != 0 &&
	 (__noted_protocol == IPPROTO_TCP || __noted_protocol == IPPROTO_UDP)));

/*
 * At kfree_skb: is args[0] an IP packet, received or to be sent, and not a copy (__is_copy)?
 * __is_drop tells whether freeing it is a drop.
 */
inline int __dropped = args[0]->network_header != 0 && !__is_copy &&
	(args[0]->protocol == htons(__ETH_P_IP) || args[0]->protocol == htons(__ETH_P_IPV6));

/*
 * The IP header of the dropped packet. NULL if the packet has no valid header of its protocol (IP
 * makes the same check), or if the header is not complete.
 */
inline int __noted_is4 = args[0]->protocol == htons(__ETH_P_IP) && args[0]->network_header + 20 <= args[0]->tail &&
	__noted_ip->version == 4;
inline int __noted_is6 = args[0]->protocol == htons(__ETH_P_IPV6) && args[0]->network_header + 40 <= args[0]->tail &&
	__noted_ip->version == 6;
inline struct iphdr *__drop_ip = __noted_is4 || __noted_is6 ? __noted_ip : NULL;

/* Does the dropped packet have an IP header that gives the offset of the transport header? */
inline int __dropped_ip = __dropped && (__noted_is6 || (__noted_is4 && __noted_ip->ihl >= 5));

/*
 * __drop_l4 is the transport header of the dropped packet, or NULL if fewer than @size bytes of it
 * are in memory. Its offset is computed from the IP header, because the offset that the stack has
 * recorded may be wrong. __dropped_l4 tells whether the packet has a transport header of @protocol.
 * In a fragmented datagram, only the first fragment has one.
 */
inline uint32_t __drop_l4_at = args[0]->network_header + __ip_hlen[__noted_ip];
inline int __dropped_l4[int protocol] = __dropped_ip && __noted_protocol == protocol &&
	!(__noted_ip->version == 4 && (__noted_ip->frag_off & htons(0x1fff)));
inline unsigned char *__drop_l4[int size] = __drop_l4_at + size <= args[0]->tail ?
	args[0]->head + __drop_l4_at : NULL;

/*
 * Reasons of drops (include/net/dropreason-core.h). Their numbers depend on the kernel: after Linux
 * 6.1, SKB_CONSUMED precedes them. __is_drop is false for packets that the kernel has used, such as
 * a packet that a TIME_WAIT socket has handled, and a FIN that no process reads before its socket
 * closes.
 */
inline int __DROP_NOT_SPECIFIED = SKB_DROP_REASON_NOT_SPECIFIED;
inline int __DROP_NO_SOCKET = SKB_DROP_REASON_NO_SOCKET;
inline int __is_drop = args[2] >= __DROP_NOT_SPECIFIED &&
	!(args[2] == __DROP_NOT_SPECIFIED && args[3] != NULL &&
	  args[3]->__sk_common.skc_state == TCP_STATE_TIME_WAIT) &&
	!(args[2] == SKB_DROP_REASON_QUEUE_PURGE && (args[0]->len == 0 ||
	   (__full[args[0]->sk] && args[0]->sk->__sk_common.skc_family == __AF_PACKET))) &&
	args[2] != SKB_DROP_REASON_PACKET_SOCK_ERROR &&
	!(__full[args[3]] && args[3]->sk_type == __SOCK_RAW &&
	  (__noted_protocol == IPPROTO_TCP || __noted_protocol == IPPROTO_UDP)) &&
	!__is_piece && !__is_used_segment && !__was_cut;

/*
 * A queueing discipline (tbf) has cut the packet into segments, and its queue has room for none of
 * them. The kernel frees the packet without a reason, and then drops each segment with one, so only
 * the segments count. The variable is the packet that is given to a discipline, by CPU; disciplines
 * that may be bypassed (TCQ_F_CAN_BYPASS, 4) do not cut.
 */
uintptr_t __given[int];
inline struct Qdisc *__qdisc_of[struct sk_buff *s] = ((struct netdev_queue *)((char *)s->dev->_tx +
	s->queue_mapping * sizeof(struct netdev_queue)))->qdisc;

rawtp:::net_dev_queue
/ __gso_segments[args[0]] > 1 && __qdisc_of[args[0]]->enqueue != NULL && !(__qdisc_of[args[0]]->flags & 4) /
{
	__given[cpu] = (uintptr_t)args[0];
}

inline int __was_cut = args[2] == __DROP_NOT_SPECIFIED && __gso_segments[args[0]] > 1 && __given[cpu] == (uintptr_t)args[0];

/*
 * Is the freed sk_buff a piece of a packet? Pieces are in the fragment list of the packet's
 * sk_buff, and are freed together with the packet. The kernel frees pieces without a reason, even
 * if the packet was used. Pieces have no IP header: it was cut off, or never written.
 */
inline int __is_piece = args[2] == __DROP_NOT_SPECIFIED && args[3] == NULL && args[0]->sk == NULL &&
	args[0]->dev == NULL && args[0]->data > args[0]->head + args[0]->network_header;

/*
 * Is the freed packet a segment without data that the connection has used, although the kernel
 * gives the reason of a drop? Such a segment is an acknowledgement after the other end's FIN; a
 * keep-alive or a window probe, which TCP answers (RFC 9293 3.8.4, 3.8.6.1); or the SYN+ACK of a
 * simultaneous open.
 */
inline int __is_empty_drop = __dropped_tcp && __drop_tcp != NULL && !__drop_tcp->fin && !__drop_tcp->rst &&
	__noted_len <= __ip_hlen[__noted_ip] + __drop_tcp->doff * 4;
inline int __has_fin[struct sock *s] = s->__sk_common.skc_state == TCP_STATE_CLOSE_WAIT ||
	s->__sk_common.skc_state == TCP_STATE_LAST_ACK || s->__sk_common.skc_state == TCP_STATE_CLOSING ||
	s->__sk_common.skc_state == TCP_STATE_CLOSED;
inline int __is_probe[struct sock *s, struct tcphdr *t] = ntohl(t->seq) == __tp[s]->rcv_nxt - 1;
inline int __is_used_segment = __full[args[3]] && args[3]->sk_protocol == IPPROTO_TCP &&
	args[3]->sk_type == __SOCK_STREAM && __is_empty_drop &&
	(args[2] == __DROP_NOT_SPECIFIED ? __has_fin[args[3]] :
	 args[2] == SKB_DROP_REASON_TCP_OLD_SEQUENCE ? __is_probe[args[3], __drop_tcp] :
	 args[2] == SKB_DROP_REASON_TCP_OLD_DATA);

/*
 * Before Linux 6.11, the tracepoint kfree_skb does not have the socket, and has fewer reasons. So
 * on these kernels, the clauses below remember which packets are no drops. At the functions in
 * which TCP handles segments, they remember segments without data, by packet. At the function that
 * frees a fragment list, they remember its pieces, by CPU.
 */
uint64_t __used_segment[uintptr_t];     /* by packet: __numbers of its segment */
uintptr_t __next_piece[int];            /* by CPU: the next piece that will be freed */
int __piece[int];                       /* by CPU: 1 if a piece is being freed */

inline struct tcphdr *__handled = (struct tcphdr *)args[1]->data;
inline int __is_empty_handled = !__handled->fin && !__handled->rst && args[1]->len == __handled->doff * 4;
inline uint64_t __numbers[struct tcphdr *t] = (uint64_t)ntohl(t->seq) << 32 | ntohl(t->ack_seq);

fbt::tcp_rcv_established:entry
/ __is_empty_handled && (__is_probe[args[0], __handled] || __handled->syn) /
{
	__used_segment[(uintptr_t)args[1]] = __numbers[__handled];
}

fbt::tcp_rcv_state_process:entry
/ __is_empty_handled && (__has_fin[args[0]] || __is_probe[args[0], __handled] || __handled->syn) /
{
	__used_segment[(uintptr_t)args[1]] = __numbers[__handled];
}

fbt::kfree_skb_list_reason:entry
/ args[1] == __DROP_NOT_SPECIFIED && args[0]->dev == NULL /
{
	__next_piece[cpu] = (uintptr_t)args[0];
}

rawtp:::kfree_skb
{
	__piece[cpu] = __next_piece[cpu] == (uintptr_t)args[0];
	__next_piece[cpu] = __piece[cpu] ? (uintptr_t)args[0]->next : __next_piece[cpu];
}

inline int __was_used = __is_empty_drop &&
	__used_segment[(uintptr_t)args[0]] == __numbers[__drop_tcp];
inline int __drop_out = args[0]->skb_iif == 0;

/*
 * Kernels without SKB_CONSUMED also free packets without a reason after they have used them: each
 * neighbor solicitation, a FIN, segments for a TIME_WAIT socket. So on these kernels, freeing
 * without a reason is a drop only if a socket of this host sends the packet (__is_unsent): the
 * kernel never uses such a packet.
 */
inline int __tells_used = __DROP_NOT_SPECIFIED > 1;
inline int __is_unsent = __drop_out && args[0]->sk != NULL && args[0]->dev != NULL;
inline int __is_early_drop = (args[2] > __DROP_NOT_SPECIFIED ||
	(args[2] == __DROP_NOT_SPECIFIED && (__tells_used || __is_unsent))) && !__piece[cpu] && !__was_used && !__was_cut;

/*
 * Without the cgroup_skb hook (Linux 6.1), functions in the same places see the packets of sockets:
 * ip_finish_output(net, sk, skb) and ip6_finish_output() for packets that the host sends,
 * sk_filter_trim_cap(sk, skb, cap) for packets that a socket gets.
 *
 * Packets of a handshake belong to the listener. Packets that a TIME_WAIT socket sends have no
 * owner. __out_own tells whether the packet is the socket's own: it is false for the outer packet
 * of a tunnel, with the socket's packet inside.
 */
inline struct sock *__out_sk =
	args[2]->sk == NULL || args[2]->sk->__sk_common.skc_state == TCP_STATE_TIME_WAIT ? NULL :
	args[2]->sk->__sk_common.skc_state == __TCP_NEW_SYN_RECV ? args[2]->sk->__sk_common.skc_listener :
	args[2]->sk;
inline int __out_protocol = __ip_protocol[__ip_of[args[2]]];
inline int __out_own[int protocol, int type] = __out_sk != NULL &&
	(args[1] == __out_sk || args[1] == args[2]->sk) &&
	__out_sk->sk_protocol == protocol && __out_sk->sk_type == type &&
	!__is_sealed[__out_protocol, (struct udphdr *)__l4_of[args[2]], __out_sk];
inline int __in_own[int protocol, int type] =
	(args[0]->__sk_common.skc_family == AF_INET || args[0]->__sk_common.skc_family == AF_INET6) &&
	args[0]->sk_protocol == protocol && args[0]->sk_type == type;

/*
 * The clauses below remember the firewall chain that drops a packet, for drop_table and drop_chain.
 * nft_do_chain(pkt, priv) runs a base chain of nf_tables, priv, on a packet. ipt_do_table(priv,
 * skb, state) and ip6t_do_table() run a chain of the older ip_tables: in table priv, the chain of
 * hook state->hook.
 *
 * On a drop, nft_do_chain() frees the packet, from Linux 6.7 on and in newer stable kernels such as
 * 6.1.192. The other functions return NF_DROP, and their caller frees the packet. So __chain keeps
 * the chain until the chain returns another verdict, or until the packet is freed (the end of
 * providers/net/net.d). If the chain accepts a packet, another part of netfilter may still drop it.
 *
 * On most kernels these functions are in modules, so kprobes trace them, and a return probe only
 * has the result. So each thread has a stack of the packets that its chains run on: a chain may
 * send a packet (a reset), and an interrupt may bring one. __in_chain is the top of the stack, and
 * __in_outer links each packet to the one below. A preempted thread keeps its own stack.
 */
uintptr_t __chain[uintptr_t];   /* by packet: the chain that runs on it, or has dropped it: the address
				 * of a struct nft_chain; or of a struct xt_table, + 1 + the hook's number */
uintptr_t __in_chain[uintptr_t]; /* by thread (struct task_struct; each CPU has an idle thread of its
				  * own): the packet of the chain that started last in the thread */
uintptr_t __in_outer[uintptr_t]; /* by packet: the value of __in_chain before this packet's chain */

/* include/uapi/linux/netfilter.h */
inline int __NF_VERDICT_MASK = 0xff;
inline int __NF_DROP = 0;

fbt::nft_do_chain:entry
{
	__in_outer[(uintptr_t)args[0]->skb] = __in_chain[(uintptr_t)curthread];
	__in_chain[(uintptr_t)curthread] = (uintptr_t)args[0]->skb;
	__chain[(uintptr_t)args[0]->skb] = (uintptr_t)args[1];
}

inline uintptr_t __xt_chain = (uintptr_t)args[0] + 1 + args[2]->hook;

fbt::ipt_do_table:entry,
fbt::ip6t_do_table:entry
{
	__in_outer[(uintptr_t)args[1]] = __in_chain[(uintptr_t)curthread];
	__in_chain[(uintptr_t)curthread] = (uintptr_t)args[1];
	__chain[(uintptr_t)args[1]] = __xt_chain;
}

fbt::nft_do_chain:return,
fbt::ipt_do_table:return,
fbt::ip6t_do_table:return
{
	this->__skb = __in_chain[(uintptr_t)curthread];
	__in_chain[(uintptr_t)curthread] = __in_outer[this->__skb];
	__in_outer[this->__skb] = 0;
	__chain[this->__skb] = (args[1] & __NF_VERDICT_MASK) == __NF_DROP ? __chain[this->__skb] : 0;
}

/*
 * The names of chain @c, as in __chain, and of its table. The types of the firewall are in the BTF
 * of its module, or in the kernel's BTF. @hook is a value of enum nf_inet_hooks.
 */
inline int __xt_hook[uintptr_t c] = (int)(c & 7) - 1;
inline string __xt_table_name[uintptr_t c] =
	__either(stringof(((struct x_tables`xt_table *)(c & ~(uintptr_t)7))->name), "<unknown>");
inline string __nft_table_name[uintptr_t c] =
	__either(stringof(((struct nf_tables`nft_chain *)c)->table->name), "<unknown>");
inline string __nft_chain_name[uintptr_t c] =
	__either(stringof(((struct nf_tables`nft_chain *)c)->name), "<unknown>");
inline string __xt_hook_name[int hook] = hook == 0 ? "PREROUTING" : hook == 1 ? "INPUT" :
	hook == 2 ? "FORWARD" : hook == 3 ? "OUTPUT" : "POSTROUTING";
inline string __table_name[uintptr_t c] = c == 0 ? "<unknown>" :
	__xt_hook[c] >= 0 ? __xt_table_name[c] : __nft_table_name[c];
inline string __chain_name[uintptr_t c] = c == 0 ? "<unknown>" :
	__xt_hook[c] >= 0 ? __xt_hook_name[__xt_hook[c]] : __nft_chain_name[c];

/* The reason why the packet was dropped. */
typedef struct dropinfo {
	string drop_reason;		/* the kernel's name of the reason, without
					 * SKB_DROP_REASON_: "NO_SOCKET", "TCP_CSUM" ... */
	uintptr_t drop_location;	/* address of the code that dropped the packet, for
					 * sym() or %a */
	string drop_table;		/* name of the firewall's table (nf_tables, or the older
					 * ip_tables) whose chain dropped the packet; "-" if
					 * drop_reason is not NETFILTER_DROP; "<unknown>" if the
					 * chain is unknown, or if functions cannot be traced */
	string drop_chain;		/* name of the base chain in drop_table: it dropped the
					 * packet, or jumped to a chain that did. In ip_tables,
					 * "INPUT", "OUTPUT" ...; "-" or "<unknown>" as in
					 * drop_table */
} dropinfo_t;

translator dropinfo_t < int reason, void *location, struct sk_buff *P > {
	drop_reason = __enum_string("skb_drop_reason", "SKB_DROP_REASON_", reason);
	drop_location = (uintptr_t)location;
	drop_table = reason != SKB_DROP_REASON_NETFILTER_DROP ? "-" : __table_name[__chain[(uintptr_t)P]];
	drop_chain = reason != SKB_DROP_REASON_NETFILTER_DROP ? "-" : __chain_name[__chain[(uintptr_t)P]];
};

/* The reason why the connection was reset. */
typedef struct resetinfo {
	string rst_reason;		/* the kernel's name of the reason, without
					 * SK_RST_REASON_: "NO_SOCKET", "TCP_ABORT_ON_CLOSE" ... */
} resetinfo_t;

translator resetinfo_t < int reason > {
	rst_reason = __enum_string("sk_rst_reason", "SK_RST_REASON_", reason);
};
