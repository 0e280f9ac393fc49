/*
 * ip.d - the stable structs of the ip provider, over the kernel's structs.
 *
 * Numbers are in host order and lengths in bytes, unless a line says otherwise. A missing header
 * gives 0 and "<null>" or "<unknown>", never a fault.
 */

/* The values of pkt_age_from: where the packet was when its age began. */
inline int PKT_AGE_UNKNOWN = 0;
inline int PKT_AGE_DEVICE = 1;
inline int PKT_AGE_SENDER = 2;

/*
 * The clock of the packet's time stamp: 0 is real time, 1 is monotonic. The age is unknown for
 * other clocks. Linux before 6.10 has a bit instead, which means monotonic. (__either() is its
 * second argument if the kernel lacks a member in the first.)
 */
inline int __stamp_clock[struct sk_buff *s] = __either((int)s->tstamp_type, (int)s->mono_delivery_time);
inline int __age_from[int clock] = clock == 0 ? PKT_AGE_DEVICE : clock == 1 ? PKT_AGE_SENDER : PKT_AGE_UNKNOWN;

/*
 * Connection tracking's state of a packet (include/net/netfilter/nf_conntrack.h). The low three
 * bits of skb->_nfct are a value of enum ip_conntrack_info; the other bits are the address of the
 * connection (struct nf_conn). A kernel may be built without connection tracking, or without its
 * zones.
 */
inline uint64_t __ct[struct sk_buff *s] = s == NULL || !__live ? 0 : __either((uint64_t)s->_nfct, (uint64_t)0);
inline int __ct_info[struct sk_buff *s] = (int)(__ct[s] & 7);
inline uint64_t __ct_conn[struct sk_buff *s] = __ct[s] & ~(uint64_t)7;
inline int __ct_is_reply[struct sk_buff *s] = __ct_conn[s] != 0 && __ct_info[s] >= 3;
inline string __ct_state[struct sk_buff *s] =
	__ct_conn[s] == 0 ? (__ct_info[s] == 7 ? "untracked" : "none") :
	__ct_info[s] == 0 || __ct_info[s] == 3 ? "established" :
	__ct_info[s] == 1 || __ct_info[s] == 4 ? "related" : "new";
inline struct nf_conntrack_tuple *__ct_tuple[struct sk_buff *s, int way] =
	&((struct nf_conn *)__ct_conn[s])->tuplehash[way].tuple;

inline string __ct_source[struct sk_buff *s, int way] = __either(
	__ct_conn[s] == 0 ? "<unknown>" :
	__ct_tuple[s, way]->src.l3num == AF_INET ? inet_ntoa(&__ct_tuple[s, way]->src.u3.ip) :
	inet_ntoa6(&__ct_tuple[s, way]->src.u3.in6), "<unknown>");
inline string __ct_dest[struct sk_buff *s, int way] = __either(
	__ct_conn[s] == 0 ? "<unknown>" :
	__ct_tuple[s, way]->src.l3num == AF_INET ? inet_ntoa(&__ct_tuple[s, way]->dst.u3.ip) :
	inet_ntoa6(&__ct_tuple[s, way]->dst.u3.in6), "<unknown>");

/* ICMP has no ports; the kernel keeps other numbers in their place. */
inline int __ct_has_ports[struct sk_buff *s, int way] =
	__ct_tuple[s, way]->dst.protonum != IPPROTO_ICMP && __ct_tuple[s, way]->dst.protonum != IPPROTO_ICMPV6;
inline uint16_t __ct_sport[struct sk_buff *s, int way] = __either(
	__ct_conn[s] == 0 || !__ct_has_ports[s, way] ? 0 : ntohs(__ct_tuple[s, way]->src.u.all), 0);
inline uint16_t __ct_dport[struct sk_buff *s, int way] = __either(
	__ct_conn[s] == 0 || !__ct_has_ports[s, way] ? 0 : ntohs(__ct_tuple[s, way]->dst.u.all), 0);
inline uint16_t __ct_zone[struct sk_buff *s] = __either(
	__ct_conn[s] == 0 ? 0 : ((struct nf_conn *)__ct_conn[s])->zone.id, 0);

/* The packet. */
typedef struct pktinfo {
	uintptr_t pkt_addr;		/* address of the kernel's sk_buff; in replay, a number
					 * in place of the address */
	uint64_t pkt_age;		/* nanoseconds since the packet was where pkt_age_from
					 * says; 0 if unknown, if the packet will be sent later,
					 * and in replay */
	int pkt_age_from;		/* PKT_AGE_DEVICE: pkt_age began when the device handed
					 * the packet to the network stack; PKT_AGE_SENDER: it
					 * began when TCP on this machine sent the packet;
					 * PKT_AGE_UNKNOWN (0): pkt_age is unknown */
	string pkt_ct_state;		/* state of the packet's connection, as nft's "ct state"
					 * names it: "new", "established", "related",
					 * "untracked". "none" if connection tracking has not
					 * seen the packet yet, or found it invalid. The stack
					 * removes the state before a socket gets the packet.
					 * From then on it is "none", as always in replay */
	int pkt_ct_reply;		/* 1 if the direction of the packet is opposite to that
					 * of the connection's first packet; else 0 */
	string pkt_ct_orig_saddr;	/* source address of the connection's first packet,
					 * before NAT; "<unknown>" if pkt_ct_state is none or
					 * untracked */
	string pkt_ct_orig_daddr;	/* destination address of the connection's first packet,
					 * before NAT; "<unknown>" if pkt_ct_state is none or
					 * untracked */
	uint16_t pkt_ct_orig_sport;	/* source port of the connection's first packet, before
					 * NAT, host order; 0 for ICMP, or if pkt_ct_state is
					 * none or untracked */
	uint16_t pkt_ct_orig_dport;	/* destination port of the connection's first packet,
					 * before NAT, host order; 0 for ICMP, or if
					 * pkt_ct_state is none or untracked */
	string pkt_ct_reply_saddr;	/* source address of reply packets when they arrive at
					 * this host, before NAT is undone; "<unknown>" if
					 * pkt_ct_state is none or untracked */
	string pkt_ct_reply_daddr;	/* destination address of reply packets when they arrive
					 * at this host; "<unknown>" if pkt_ct_state is none or
					 * untracked */
	uint16_t pkt_ct_reply_sport;	/* source port of reply packets when they arrive at this
					 * host, host order; 0 for ICMP, or if pkt_ct_state is
					 * none or untracked */
	uint16_t pkt_ct_reply_dport;	/* destination port of reply packets when they arrive at
					 * this host, host order; 0 for ICMP, or if pkt_ct_state
					 * is none or untracked */
	uint16_t pkt_ct_zone;		/* zone of connection tracking; 0 is the default zone */
} pktinfo_t;

/* P is the packet. If P is NULL, A is the address that the packet had. */
translator pktinfo_t < struct sk_buff *P, uintptr_t A > {
	pkt_addr = P != NULL ? (uintptr_t)P : A;
	pkt_age = !__live ? 0 : __stamp_age(P->tstamp, __stamp_clock[P]);
	pkt_age_from = !__live || __stamp(P->tstamp) == 0 ? PKT_AGE_UNKNOWN :
	    __age_from[__stamp_clock[P]];
	pkt_ct_state = __ct_state[P];
	pkt_ct_reply = __ct_is_reply[P];
	pkt_ct_orig_saddr = __ct_source[P, 0];
	pkt_ct_orig_daddr = __ct_dest[P, 0];
	pkt_ct_orig_sport = __ct_sport[P, 0];
	pkt_ct_orig_dport = __ct_dport[P, 0];
	pkt_ct_reply_saddr = __ct_source[P, 1];
	pkt_ct_reply_daddr = __ct_dest[P, 1];
	pkt_ct_reply_sport = __ct_sport[P, 1];
	pkt_ct_reply_dport = __ct_dport[P, 1];
	pkt_ct_zone = __ct_zone[P];
};

/* Data that a process read from a socket. */
typedef struct readinfo {
	int read_bytes;			/* bytes that the call took from the socket; of a
					 * datagram, those that fit in the process's buffer, or
					 * with MSG_TRUNC all */
	uint64_t read_queued;		/* nanoseconds since the data came to the socket; 0 if
					 * unknown. If TCP has merged segments, the newest of
					 * them counts. If args[0] is a packet, read_queued is
					 * pkt_age, so it includes the microseconds that IP and
					 * TCP took */
} readinfo_t;

/* K is the packet, or NULL. Without a packet, read_queued is queued. */
translator readinfo_t < int bytes, struct sk_buff *K, uint64_t queued > {
	read_bytes = bytes;
	read_queued = !__live ? 0 : K != NULL ? __stamp_age(K->tstamp, __stamp_clock[K]) : queued;
};

/* Data that a process wrote to a socket. */
typedef struct writeinfo {
	int write_bytes;		/* bytes that the socket accepted; 0 on an error */
	int write_error;		/* errno of the call; 0 if the call succeeded */
} writeinfo_t;

translator writeinfo_t < int result > {
	write_bytes = result < 0 ? 0 : result;
	write_error = result < 0 ? -result : 0;
};

/*
 * Is the running thread in a system call that only peeks at data (MSG_PEEK)? __receive_flags are
 * the flags that the thread has passed to recvfrom(2), recvmsg(2) or recvmmsg(2); the numbers of
 * these calls are those of x86-64 and of arm64. 32-bit programs on x86-64 use other numbers. Kernel
 * threads are never in a system call.
 */
inline int __MSG_PEEK = 2;
inline int __MSG_TRUNC = 0x20;
inline int __MSG_ERRQUEUE = 0x2000;
inline int __is_x86 = __either((int)offsetof(struct pt_regs, orig_ax), 0) != 0;
inline uint64_t __syscall = __is_x86 ? __ureg(15) : __ureg(8);
inline uint64_t __receive_flags = __is_x86 ?
	(__syscall == 45 || __syscall == 299 ? __ureg(7) : __syscall == 47 ? __ureg(12) : 0) :
	(__syscall == 207 || __syscall == 243 ? __ureg(3) : __syscall == 212 ? __ureg(2) : 0);
inline int __peeks = !(curthread->flags & __PF_KTHREAD) && (__receive_flags & __MSG_PEEK) != 0;

/* The IP packet, of either version. */
typedef struct ipinfo {
	uint8_t ip_ver;			/* version, 4 or 6, from the header or else from the
					 * socket; 0 if there is neither */
	uint32_t ip_plength;		/* bytes of payload, after the IPv4 header or the fixed
					 * IPv6 header, so IPv6 extension headers count (RFC
					 * 791, RFC 8200). Linux adds a jumbo option to IPv6
					 * packets over 64 KB and removes it when it cuts them;
					 * this option does not count */
	string ip_saddr;		/* source address as text; "<unknown>" if there is no
					 * header and no socket */
	string ip_daddr;		/* destination address as text; "<unknown>" if there is
					 * no header and no socket */
} ipinfo_t;

/*
 * len is the number of bytes from the header to the end of the packet. If answer is true, I is the
 * header of a received packet, and the translator shows the TCP reset that answers this packet. If
 * I is NULL, the addresses are those of socket S. out is true if this host sends the packet.
 */
translator ipinfo_t < struct iphdr *I, uint32_t len, int answer, struct sock *S, int out > {
	ip_ver = I != NULL ? I->version : S == NULL ? 0 : S->__sk_common.skc_family == AF_INET ? 4 : 6;
	ip_plength = I == NULL ? 0 : answer ? 20 : __ip_plength[I, len];
	ip_saddr = I == NULL ? (out || answer ? __sock_laddr[S] : __sock_raddr[S]) :
	    answer ? __ip_dest[I] : __ip_source[I];
	ip_daddr = I == NULL ? (out || answer ? __sock_raddr[S] : __sock_laddr[S]) :
	    answer ? __ip_source[I] : __ip_dest[I];
};

/* The network device on which the packet leaves or came in. */
typedef struct ifinfo {
	string if_name;			/* name, as ip-link(8) shows it; in replay, name of the
					 * capture's interface; "<null>" if unknown. A device in
					 * another network namespace may have the same name (see
					 * if_ipstack) */
	int8_t if_local;		/* 1 for the loopback device; 0 for other devices, or if
					 * there is none */
	uint64_t if_ipstack;		/* network namespace of the device: the inode number
					 * that lsns(8) shows; 0 in replay */
	uintptr_t if_addr;		/* address of the kernel's net_device; 0 if there is
					 * none */
} ifinfo_t;

translator ifinfo_t < struct net_device *D > {
	if_name = D == NULL ? "<null>" : stringof(D->name);
	if_local = D == NULL ? 0 : (D->flags & 0x8) != 0;
	if_ipstack = D == NULL ? 0 : (uint64_t)D->nd_net.net->ns.inum;
	if_addr = (uintptr_t)D;
};

/* The IPv4 header (RFC 791). If there is none, numbers are 0 and strings are "<null>". */
typedef struct ipv4info {
	uint8_t ipv4_ver;		/* version: 4; 0 if not IPv4 */
	uint8_t ipv4_ihl;		/* header length in bytes, options included: 20 to 60 */
	uint8_t ipv4_tos;		/* type of service: DSCP in the upper six bits, ECN in
					 * the lower two (RFC 2474, RFC 3168) */
	uint16_t ipv4_length;		/* bytes of header and payload; 0 if the packet is too
					 * long for this field, until segmentation cuts it */
	uint16_t ipv4_ident;		/* identification, equal in all fragments of a datagram,
					 * host order */
	uint8_t ipv4_flags;		/* 4: don't fragment (DF); 2: more fragments (MF) */
	uint16_t ipv4_offset;		/* offset of the fragment in the datagram, in units of 8
					 * bytes */
	uint8_t ipv4_ttl;		/* time to live: number of hops left */
	uint8_t ipv4_protocol;		/* protocol of the payload: IPPROTO_TCP, IPPROTO_UDP ... */
	string ipv4_protostr;		/* name of ipv4_protocol: "TCP"; the number if the
					 * protocol has no name */
	uint16_t ipv4_checksum;		/* checksum of the header, host order; may not be
					 * computed yet in packets that this host sends */
	ipaddr_t ipv4_src;		/* source address, network order */
	ipaddr_t ipv4_dst;		/* destination address, network order */
	string ipv4_saddr;		/* source address as text */
	string ipv4_daddr;		/* destination address as text */
	struct iphdr *ipv4_hdr;		/* pointer to the header, in network order; if it is
					 * NULL, reading through it is a fault */
} ipv4info_t;

translator ipv4info_t < struct iphdr *I > {
	ipv4_ver = I == NULL ? 0 : I->version;
	ipv4_ihl = I == NULL ? 0 : I->ihl * 4;
	ipv4_tos = I == NULL ? 0 : I->tos;
	ipv4_length = I == NULL ? 0 : ntohs(I->tot_len);
	ipv4_ident = I == NULL ? 0 : ntohs(I->id);
	ipv4_flags = I == NULL ? 0 : ntohs(I->frag_off) >> 12 & 0xe;
	ipv4_offset = I == NULL ? 0 : ntohs(I->frag_off) & 0x1fff;
	ipv4_ttl = I == NULL ? 0 : I->ttl;
	ipv4_protocol = I == NULL ? 0 : I->protocol;
	ipv4_protostr = I == NULL ? "<null>" : __protostr[I->protocol];
	ipv4_checksum = I == NULL ? 0 : ntohs(I->check);
	ipv4_src = I == NULL ? 0 : I->saddr;
	ipv4_dst = I == NULL ? 0 : I->daddr;
	ipv4_saddr = I == NULL ? "<null>" : inet_ntoa(&I->saddr);
	ipv4_daddr = I == NULL ? "<null>" : inet_ntoa(&I->daddr);
	ipv4_hdr = I;
};

/* The IPv6 header (RFC 8200). If there is none, numbers are 0 and strings are "<null>". */
typedef struct ipv6info {
	uint8_t ipv6_ver;		/* version: 6; 0 if not IPv6 */
	uint8_t ipv6_tclass;		/* traffic class: DSCP in the upper six bits, ECN in the
					 * lower two */
	uint32_t ipv6_flow;		/* flow label, 20 bits, host order */
	uint16_t ipv6_plen;		/* bytes of payload, extension headers included; 0 in
					 * jumbograms */
	uint8_t ipv6_nexthdr;		/* type of the next header: a protocol, or an extension
					 * header */
	string ipv6_nextstr;		/* name of ipv6_nexthdr: "TCP"; the number if it has no
					 * name */
	uint8_t ipv6_hlim;		/* hop limit: number of hops left */
	in6_addr_t *ipv6_src;		/* source address, 16 bytes in network order, for
					 * inet_ntoa6(); NULL if not IPv6 */
	in6_addr_t *ipv6_dst;		/* destination address, 16 bytes in network order; NULL
					 * if not IPv6 */
	string ipv6_saddr;		/* source address as text */
	string ipv6_daddr;		/* destination address as text */
	struct ipv6hdr *ipv6_hdr;	/* pointer to the header, in network order; if it is
					 * NULL, reading through it is a fault */
} ipv6info_t;

translator ipv6info_t < struct ipv6hdr *I > {
	ipv6_ver = I == NULL ? 0 : I->version;
	ipv6_tclass = I == NULL ? 0 : I->priority << 4 | I->flow_lbl[0] >> 4;
	ipv6_flow = I == NULL ? 0 :
	    (uint32_t)(I->flow_lbl[0] & 0xf) << 16 | (uint32_t)I->flow_lbl[1] << 8 | I->flow_lbl[2];
	ipv6_plen = I == NULL ? 0 : ntohs(I->payload_len);
	ipv6_nexthdr = I == NULL ? 0 : I->nexthdr;
	ipv6_nextstr = I == NULL ? "<null>" : __protostr[I->nexthdr];
	ipv6_hlim = I == NULL ? 0 : I->hop_limit;
	ipv6_src = I == NULL ? NULL : &I->saddr;
	ipv6_dst = I == NULL ? NULL : &I->daddr;
	ipv6_saddr = I == NULL ? "<null>" : inet_ntoa6(&I->saddr);
	ipv6_daddr = I == NULL ? "<null>" : inet_ntoa6(&I->daddr);
	ipv6_hdr = I;
};
