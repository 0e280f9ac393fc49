/*
 * mib.d - counters of IP, TCP, UDP and ICMP, event by event.
 *
 * Each probe stands for one counter. Nearly all derive from a probe of the provider ip, tcp, udp or
 * icmp. A probe fires whenever the counter grows; the probes of ICMP also fire for messages that
 * this host forwards. Filters apply to the packet or socket of the probe that a counter derives
 * from. args[0] is the increment. Most names are those of RFC 1213 and 4293 with the
 * protocol in front; some are those of Solaris.
 */
#pragma D attributes Evolving/Evolving/ISA provider mib provider
#pragma D attributes Private/Private/Unknown provider mib module
#pragma D attributes Private/Private/Unknown provider mib function
#pragma D attributes Evolving/Evolving/ISA provider mib name
#pragma D attributes Evolving/Evolving/ISA provider mib args

provider mib {
	/* IPv4 gets a packet. */
	probe ipInReceives(uint64_t n);
	/* IPv6 gets a packet. */
	probe ip6InReceives(uint64_t n);
	/* IPv4 gets a packet. args[0] is the length of the packet in bytes, with the header. */
	probe ipInOctets(uint64_t n);
	/* IPv6 gets a packet. args[0] is the length of the packet in bytes, with the header. */
	probe ip6InOctets(uint64_t n);
	/*
	 * IPv4 sends a packet of this host or forwards one. args[0] is the length of the packet in
	 * bytes, with the header.
	 */
	probe ipOutOctets(uint64_t n);
	/*
	 * IPv6 sends a packet of this host or forwards one. args[0] is the length of the packet in
	 * bytes, with the header.
	 */
	probe ip6OutOctets(uint64_t n);
	/* IPv4 sends a packet of this host. */
	probe ipOutRequests(uint64_t n);
	/* IPv6 sends a packet of this host. */
	probe ip6OutRequests(uint64_t n);
	/* IPv4 forwards a packet. */
	probe ipForwDatagrams(uint64_t n);
	/* IPv6 forwards a packet. */
	probe ip6OutForwDatagrams(uint64_t n);
	/* IPv4 drops a packet because its header is wrong. */
	probe ipInHdrErrors(uint64_t n);
	/* IPv4 drops a packet because its protocol is unknown. */
	probe ipInUnknownProtos(uint64_t n);
	/* IPv4 drops a packet because its address is invalid. */
	probe ipInAddrErrors(uint64_t n);
	/* IPv4 drops a packet because there is no route. */
	probe ipOutNoRoutes(uint64_t n);
	/* IPv6 drops a packet because its header is wrong. */
	probe ip6InHdrErrors(uint64_t n);
	/* IPv6 drops a packet because its protocol is unknown. */
	probe ip6InUnknownProtos(uint64_t n);
	/* IPv6 drops a packet because its address is invalid. */
	probe ip6InAddrErrors(uint64_t n);
	/* IPv6 drops a packet because there is no route. */
	probe ip6OutNoRoutes(uint64_t n);
	/* This host begins a connection. */
	probe tcpActiveOpens(uint64_t n);
	/* A connection from another host is established. */
	probe tcpPassiveOpens(uint64_t n);
	/* An attempt to connect fails: a connection in syn-sent or syn-received is closed. */
	probe tcpAttemptFails(uint64_t n);
	/* A connection is reset: its state goes from established or close-wait to closed. */
	probe tcpEstabResets(uint64_t n);
	/*
	 * This host receives a segment. Segments that a device or the kernel joined count as one.
	 */
	probe tcpInSegs(uint64_t n);
	/* This host sends segments. args[0] is their number, without retransmissions. */
	probe tcpOutSegs(uint64_t n);
	/* This host retransmits segments. args[0] is their number. */
	probe tcpRetransSegs(uint64_t n);
	/* A reset is sent. */
	probe tcpOutRsts(uint64_t n);
	/* A segment is dropped because its checksum is wrong. */
	probe tcpInErrs(uint64_t n);
	/* A connection is not accepted because the queue of its listener is full. */
	probe tcpListenDrop(uint64_t n);
	/*
	 * A process gets a datagram. Before Linux 6.3 and in a capture, the probe fires when the
	 * socket gets the datagram.
	 */
	probe udpInDatagrams(uint64_t n, struct sock *sk) : (uint64_t n);
	/* A socket sends a datagram. */
	probe udpOutDatagrams(uint64_t n);
	/* A datagram arrives for a port that no socket has. */
	probe udpNoPorts(uint64_t n);
	/* A datagram is dropped because its checksum is wrong or its socket's buffer is full. */
	probe udpInErrors(uint64_t n);
	/* A datagram is dropped because its checksum is wrong. */
	probe udpInCksumErrs(uint64_t n);
	/* A datagram is dropped because its socket's buffer is full. */
	probe udpInOverflows(uint64_t n);
	/* An ICMP message comes. */
	probe icmpInMsgs(uint64_t n);
	/* An ICMP message comes: destination unreachable. */
	probe icmpInDestUnreachs(uint64_t n);
	/* An ICMP message comes: time exceeded. */
	probe icmpInTimeExcds(uint64_t n);
	/* An ICMP message comes: parameter problem. */
	probe icmpInParmProbs(uint64_t n);
	/* An ICMP message comes: redirect. */
	probe icmpInRedirects(uint64_t n);
	/* An ICMP message comes: echo request. */
	probe icmpInEchos(uint64_t n);
	/* An ICMP message comes: echo reply. */
	probe icmpInEchoReps(uint64_t n);
	/* An ICMP message comes: timestamp request. */
	probe icmpInTimestamps(uint64_t n);
	/* An ICMP message comes: timestamp reply. */
	probe icmpInTimestampReps(uint64_t n);
	/* An ICMP message is sent. */
	probe icmpOutMsgs(uint64_t n);
	/* An ICMP message is sent: destination unreachable. */
	probe icmpOutDestUnreachs(uint64_t n);
	/* An ICMP message is sent: time exceeded. */
	probe icmpOutTimeExcds(uint64_t n);
	/* An ICMP message is sent: parameter problem. */
	probe icmpOutParmProbs(uint64_t n);
	/* An ICMP message is sent: redirect. */
	probe icmpOutRedirects(uint64_t n);
	/* An ICMP message is sent: echo request. */
	probe icmpOutEchos(uint64_t n);
	/* An ICMP message is sent: echo reply. */
	probe icmpOutEchoReps(uint64_t n);
	/* An ICMP message is sent: timestamp request. */
	probe icmpOutTimestamps(uint64_t n);
	/* An ICMP message is sent: timestamp reply. */
	probe icmpOutTimestampReps(uint64_t n);
	/* An ICMPv6 message comes. */
	probe icmp6InMsgs(uint64_t n);
	/* An ICMPv6 message comes: destination unreachable. */
	probe icmp6InDestUnreachs(uint64_t n);
	/* An ICMPv6 message comes: packet too big. */
	probe icmp6InPktTooBigs(uint64_t n);
	/* An ICMPv6 message comes: time exceeded. */
	probe icmp6InTimeExcds(uint64_t n);
	/* An ICMPv6 message comes: parameter problem. */
	probe icmp6InParmProblems(uint64_t n);
	/* An ICMPv6 message comes: echo request. */
	probe icmp6InEchos(uint64_t n);
	/* An ICMPv6 message comes: echo reply. */
	probe icmp6InEchoReplies(uint64_t n);
	/* An ICMPv6 message comes: router solicitation. */
	probe icmp6InRouterSolicits(uint64_t n);
	/* An ICMPv6 message comes: router advertisement. */
	probe icmp6InRouterAdvertisements(uint64_t n);
	/* An ICMPv6 message comes: neighbor solicitation. */
	probe icmp6InNeighborSolicits(uint64_t n);
	/* An ICMPv6 message comes: neighbor advertisement. */
	probe icmp6InNeighborAdvertisements(uint64_t n);
	/* An ICMPv6 message comes: redirect. */
	probe icmp6InRedirects(uint64_t n);
	/* An ICMPv6 message is sent. */
	probe icmp6OutMsgs(uint64_t n);
	/* An ICMPv6 message is sent: destination unreachable. */
	probe icmp6OutDestUnreachs(uint64_t n);
	/* An ICMPv6 message is sent: packet too big. */
	probe icmp6OutPktTooBigs(uint64_t n);
	/* An ICMPv6 message is sent: time exceeded. */
	probe icmp6OutTimeExcds(uint64_t n);
	/* An ICMPv6 message is sent: parameter problem. */
	probe icmp6OutParmProblems(uint64_t n);
	/* An ICMPv6 message is sent: echo request. */
	probe icmp6OutEchos(uint64_t n);
	/* An ICMPv6 message is sent: echo reply. */
	probe icmp6OutEchoReplies(uint64_t n);
	/* An ICMPv6 message is sent: router solicitation. */
	probe icmp6OutRouterSolicits(uint64_t n);
	/* An ICMPv6 message is sent: router advertisement. */
	probe icmp6OutRouterAdvertisements(uint64_t n);
	/* An ICMPv6 message is sent: neighbor solicitation. */
	probe icmp6OutNeighborSolicits(uint64_t n);
	/* An ICMPv6 message is sent: neighbor advertisement. */
	probe icmp6OutNeighborAdvertisements(uint64_t n);
	/* An ICMPv6 message is sent: redirect. */
	probe icmp6OutRedirects(uint64_t n);
};

/* The IP version of a dropped packet, from its frame, because the packet may have no header. */
inline int __mib_is4[struct sk_buff *s] = s->protocol == htons(__ETH_P_IP);
inline int __mib_is6[struct sk_buff *s] = s->protocol == htons(__ETH_P_IPV6);

/*
 * Was the packet dropped because its header is wrong? For IPv6, the kernel has a separate reason
 * for a wrong IP version.
 */
inline int __mib_wrong4[struct sk_buff *s, int reason] = __mib_is4[s] && reason == SKB_DROP_REASON_IP_INHDR;
inline int __mib_wrong6[struct sk_buff *s, int reason] = __mib_is6[s] && (reason == SKB_DROP_REASON_IP_INHDR ||
    reason == SKB_DROP_REASON_UNHANDLED_PROTO);

/*
 * IP also counts received packets with a bad header, for which ip:::receive does not fire. Such a
 * header is wrong, or claims more bytes than there are (the kernel's reason is then that the packet
 * is too small). The second group of hooks is for captures, which have no drops.
 */
inline int __mib_refused[int wrong, int reason, int out] = !out &&
    (wrong || reason == SKB_DROP_REASON_PKT_TOO_SMALL);
mib:::ipInReceives
	on ip:::receive
	/ args[2]->version == 4 /
	(1)

	on ip:::drop
	/ __mib_is4[args[0]] && __mib_refused[__mib_wrong4[args[0], args[7]], args[7], args[9]] &&
	  (args[2] == NULL || !__rx_is4[args[2], args[6]]) /
	(1)
or
	on ip:::receive
	/ args[2]->version == 4 /
	(1)
;

mib:::ip6InReceives
	on ip:::receive
	/ args[2]->version == 6 /
	(1)

	on ip:::drop
	/ __mib_is6[args[0]] && __mib_refused[__mib_wrong6[args[0], args[7]], args[7], args[9]] &&
	  (args[2] == NULL || !__rx_is6[args[2], args[6], (unsigned char *)args[2]]) /
	(1)
or
	on ip:::receive
	/ args[2]->version == 6 /
	(1)
;

mib:::ipInOctets
	on ip:::receive
	/ args[2]->version == 4 /
	(args[6])
;

mib:::ip6InOctets
	on ip:::receive
	/ args[2]->version == 6 /
	(args[6])
;

mib:::ipOutOctets
	on ip:::send
	/ args[2]->version == 4 /
	(args[6])
;

mib:::ip6OutOctets
	on ip:::send
	/ args[2]->version == 6 /
	(args[6])
;

mib:::ipOutRequests
	on ip:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 /
	(1)
;

mib:::ip6OutRequests
	on ip:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 /
	(1)
;

mib:::ipForwDatagrams
	on ip:::send
	/ args[2]->version == 4 && args[0]->skb_iif != 0 /
	(1)
;

mib:::ip6OutForwDatagrams
	on ip:::send
	/ args[2]->version == 6 && args[0]->skb_iif != 0 /
	(1)
;

mib:::ipInHdrErrors
	on ip:::drop
	/ __mib_wrong4[args[0], args[7]] || (__mib_is4[args[0]] && args[7] == SKB_DROP_REASON_IP_CSUM) /
	(1)
;

mib:::ipInUnknownProtos
	on ip:::drop
	/ __mib_is4[args[0]] && args[7] == SKB_DROP_REASON_IP_NOPROTO /
	(1)
;

mib:::ipInAddrErrors
	on ip:::drop
	/ __mib_is4[args[0]] && args[7] == SKB_DROP_REASON_IP_INADDRERRORS /
	(1)
;

mib:::ipOutNoRoutes
	on ip:::drop
	/ __mib_is4[args[0]] && args[7] == SKB_DROP_REASON_IP_OUTNOROUTES /
	(1)
;

mib:::ip6InHdrErrors
	on ip:::drop
	/ __mib_wrong6[args[0], args[7]] /
	(1)
;

mib:::ip6InUnknownProtos
	on ip:::drop
	/ __mib_is6[args[0]] && args[7] == SKB_DROP_REASON_IP_NOPROTO /
	(1)
;

mib:::ip6InAddrErrors
	on ip:::drop
	/ __mib_is6[args[0]] && args[7] == SKB_DROP_REASON_IP_INADDRERRORS /
	(1)
;

mib:::ip6OutNoRoutes
	on ip:::drop
	/ __mib_is6[args[0]] && args[7] == SKB_DROP_REASON_IP_OUTNOROUTES /
	(1)
;

mib:::tcpActiveOpens
	on tcp:::connect-request
	(1)
;

mib:::tcpPassiveOpens
	on tcp:::accept-established
	(1)
;

/*
 * Is @s a spare socket? Two segments that end a handshake at the same time on two CPUs each make a
 * socket for the connection. The kernel closes the later socket with its port still set. All other
 * sockets lose their port before they are closed.
 */
inline int __SOCK_BINDPORT_LOCK = 8;
inline int __is_spare[struct sock *s] = !(s->sk_userlocks & __SOCK_BINDPORT_LOCK) &&
    ((struct inet_connection_sock *)s)->icsk_bind_hash != NULL;

mib:::tcpAttemptFails
	on tcp:::state-change
	/ args[1] == TCP_STATE_CLOSED && (args[2] == TCP_STATE_SYN_SENT || (args[2] ==
	    TCP_STATE_SYN_RECEIVED && !__is_spare[args[0]])) /
	(1)
or
	on tcp:::state-change
	/ args[1] == TCP_STATE_CLOSED && (args[2] == TCP_STATE_SYN_SENT || args[2] ==
	    TCP_STATE_SYN_RECEIVED) /
	(1)
;

mib:::tcpEstabResets
	on tcp:::state-change
	/ args[1] == TCP_STATE_CLOSED && (args[2] == TCP_STATE_ESTABLISHED || args[2] ==
	    TCP_STATE_CLOSE_WAIT) /
	(1)
;

mib:::tcpInSegs
	on tcp:::receive
	(1)
;

/*
 * Is the segment sent for the first time, as __tcp_transmit_skb() counts it? A segment is not
 * counted if the socket has sent all of its bytes, its SYN and its FIN before. In live runs, a
 * SYN+ACK belongs to no connection's socket yet, and counts each time.
 */
inline uint32_t __mib_span[struct iphdr *h, struct tcphdr *t, uint32_t len] = __tcp_data[h, t, len] + t->syn + t->fin;
inline int __mib_is_new[struct sock *s, struct iphdr *h, struct tcphdr *t, uint32_t len] =
	!__full[s] || s->__sk_common.skc_state == TCP_STATE_LISTEN || t == NULL || h == NULL || __mib_span[h, t, len] == 0 ||
	(int)(ntohl(t->seq) + __mib_span[h, t, len] - __tp[s]->snd_nxt) > 0;

inline int __mib_segs[struct sk_buff *s, struct iphdr *h, struct tcphdr *t, uint32_t len, struct sock *k] =
	__segments[s, h == NULL || t == NULL ? 0 : __tcp_data[h, t, len], k];

mib:::tcpOutSegs
	on tcp:::send
	/ __mib_is_new[args[1], args[2], args[3], args[7]] /
	(__mib_segs[args[0], args[2], args[3], args[7], args[1]])
;

mib:::tcpRetransSegs
	on tcp:::retransmit
	(__mib_segs[args[0], args[2], args[3], args[7], args[1]])
;

mib:::tcpOutRsts
	on tcp:::reset-sent
	(1)
;

mib:::tcpInErrs
	on tcp:::drop
	/ args[6] == SKB_DROP_REASON_TCP_CSUM /
	(1)
;

mib:::tcpListenDrop
	on tcp:::listen-overflow
	(1)
;

/*
 * Counts a datagram when a process reads it, as the kernel does: the kernel checks most checksums
 * only at that time. Excluded are datagrams that stay in the queue (MSG_PEEK) and those of the
 * error queue (MSG_ERRQUEUE).
 */
mib:::udpInDatagrams
	on rawtp:::sock_recv_length
	/ args[0]->sk_protocol == IPPROTO_UDP && args[0]->sk_type == __SOCK_DGRAM && (int)args[1] >= 0 &&
	    (args[2] & (__MSG_PEEK | __MSG_ERRQUEUE)) == 0 /
	(1, args[0])
or
	on udp:::receive
	(1, args[1])
;

mib:::udpOutDatagrams
	on udp:::send
	(1)
;

mib:::udpNoPorts
	on udp:::drop
	/ args[6] == SKB_DROP_REASON_NO_SOCKET /
	(1)
;

mib:::udpInErrors
	on udp:::drop
	/ args[6] == SKB_DROP_REASON_UDP_CSUM || args[6] == SKB_DROP_REASON_SOCKET_RCVBUFF /
	(1)
;

mib:::udpInCksumErrs
	on udp:::drop
	/ args[6] == SKB_DROP_REASON_UDP_CSUM /
	(1)
;

mib:::udpInOverflows
	on udp:::drop
	/ args[6] == SKB_DROP_REASON_SOCKET_RCVBUFF /
	(1)
;

mib:::icmpInMsgs
	on icmp:::receive
	/ args[2]->version == 4 /
	(1)
;

mib:::icmpInDestUnreachs
	on icmp:::receive
	/ args[2]->version == 4 && args[4] != NULL && args[4]->type == 3 /
	(1)
;

mib:::icmpInTimeExcds
	on icmp:::receive
	/ args[2]->version == 4 && args[4] != NULL && args[4]->type == 11 /
	(1)
;

mib:::icmpInParmProbs
	on icmp:::receive
	/ args[2]->version == 4 && args[4] != NULL && args[4]->type == 12 /
	(1)
;

mib:::icmpInRedirects
	on icmp:::receive
	/ args[2]->version == 4 && args[4] != NULL && args[4]->type == 5 /
	(1)
;

mib:::icmpInEchos
	on icmp:::receive
	/ args[2]->version == 4 && args[4] != NULL && args[4]->type == 8 /
	(1)
;

mib:::icmpInEchoReps
	on icmp:::receive
	/ args[2]->version == 4 && args[4] != NULL && args[4]->type == 0 /
	(1)
;

mib:::icmpInTimestamps
	on icmp:::receive
	/ args[2]->version == 4 && args[4] != NULL && args[4]->type == 13 /
	(1)
;

mib:::icmpInTimestampReps
	on icmp:::receive
	/ args[2]->version == 4 && args[4] != NULL && args[4]->type == 14 /
	(1)
;

mib:::icmpOutMsgs
	on icmp:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 /
	(1)
;

mib:::icmpOutDestUnreachs
	on icmp:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 3 /
	(1)
;

mib:::icmpOutTimeExcds
	on icmp:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 11 /
	(1)
;

mib:::icmpOutParmProbs
	on icmp:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 12 /
	(1)
;

mib:::icmpOutRedirects
	on icmp:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 5 /
	(1)
;

mib:::icmpOutEchos
	on icmp:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 8 /
	(1)
;

mib:::icmpOutEchoReps
	on icmp:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 0 /
	(1)
;

mib:::icmpOutTimestamps
	on icmp:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 13 /
	(1)
;

mib:::icmpOutTimestampReps
	on icmp:::send
	/ args[2]->version == 4 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 14 /
	(1)
;

mib:::icmp6InMsgs
	on icmp:::receive
	/ args[2]->version == 6 /
	(1)
;

mib:::icmp6InDestUnreachs
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 1 /
	(1)
;

mib:::icmp6InPktTooBigs
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 2 /
	(1)
;

mib:::icmp6InTimeExcds
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 3 /
	(1)
;

mib:::icmp6InParmProblems
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 4 /
	(1)
;

mib:::icmp6InEchos
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 128 /
	(1)
;

mib:::icmp6InEchoReplies
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 129 /
	(1)
;

mib:::icmp6InRouterSolicits
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 133 /
	(1)
;

mib:::icmp6InRouterAdvertisements
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 134 /
	(1)
;

mib:::icmp6InNeighborSolicits
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 135 /
	(1)
;

mib:::icmp6InNeighborAdvertisements
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 136 /
	(1)
;

mib:::icmp6InRedirects
	on icmp:::receive
	/ args[2]->version == 6 && args[4] != NULL && args[4]->type == 137 /
	(1)
;

mib:::icmp6OutMsgs
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 /
	(1)
;

mib:::icmp6OutDestUnreachs
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 1 /
	(1)
;

mib:::icmp6OutPktTooBigs
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 2 /
	(1)
;

mib:::icmp6OutTimeExcds
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 3 /
	(1)
;

mib:::icmp6OutParmProblems
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 4 /
	(1)
;

mib:::icmp6OutEchos
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 128 /
	(1)
;

mib:::icmp6OutEchoReplies
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 129 /
	(1)
;

mib:::icmp6OutRouterSolicits
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 133 /
	(1)
;

mib:::icmp6OutRouterAdvertisements
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 134 /
	(1)
;

mib:::icmp6OutNeighborSolicits
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 135 /
	(1)
;

mib:::icmp6OutNeighborAdvertisements
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 136 /
	(1)
;

mib:::icmp6OutRedirects
	on icmp:::send
	/ args[2]->version == 6 && args[0]->skb_iif == 0 && args[4] != NULL &&
	    args[4]->type == 137 /
	(1)
;
