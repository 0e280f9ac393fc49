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
 * The clock of the packet's time stamp: 0 is real time, 1 is monotonic; others are not used. Before
 * Linux 6.10, the kernel has one bit that means monotonic.
 */
inline int __stamp_clock[struct sk_buff *s] = __either((int)s->tstamp_type, (int)s->mono_delivery_time);
inline int __age_from[int clock] = clock == 0 ? PKT_AGE_DEVICE : clock == 1 ? PKT_AGE_SENDER : PKT_AGE_UNKNOWN;

/*
 * The results of connection tracking for a packet (include/net/netfilter/nf_conntrack.h). The low
 * three bits of _nfct are the state (enum ip_conntrack_info), the others the address of the
 * connection. The kernel may lack connection tracking, or its zones.
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
	uintptr_t pkt_addr;		/* address of the kernel's sk_buff; in replay a number
					 * that stands for it */
	uint64_t pkt_age;		/* nanoseconds since the point that pkt_age_from names;
					 * 0 if that is unknown (as in replay) or in the future */
	int pkt_age_from;		/* PKT_AGE_DEVICE: the device handed the packet to the
					 * network stack; PKT_AGE_SENDER: TCP on this machine
					 * sent it, or will send it; PKT_AGE_UNKNOWN (0) */
	string pkt_ct_state;		/* state of the connection that the packet belongs to, as
					 * nft's "ct state" names it: new, established, related,
					 * untracked. none: connection tracking has not seen the
					 * packet yet, or found it invalid; or the stack has
					 * removed the connection from the packet, as it does
					 * before a socket gets the packet. none in replay */
	int pkt_ct_reply;		/* 1 if the packet goes in the opposite direction to the
					 * connection's first packet; else 0 */
	string pkt_ct_orig_saddr;	/* source address of the connection's first packet,
					 * before NAT; "<unknown>" if the state is none or
					 * untracked */
	string pkt_ct_orig_daddr;	/* destination address of that packet; "<unknown>" if
					 * the state is none or untracked */
	uint16_t pkt_ct_orig_sport;	/* source port of that packet, host order; 0 for ICMP, or
					 * if the state is none or untracked */
	uint16_t pkt_ct_orig_dport;	/* destination port of that packet, host order; 0 for ICMP,
					 * or if the state is none or untracked */
	string pkt_ct_reply_saddr;	/* source address of the packets that answer, as they
					 * arrive at this host, before NAT is undone; "<unknown>"
					 * if the state is none or untracked */
	string pkt_ct_reply_daddr;	/* destination address of these packets; "<unknown>" if
					 * the state is none or untracked */
	uint16_t pkt_ct_reply_sport;	/* source port of these packets, host order; 0 for ICMP, or
					 * if the state is none or untracked */
	uint16_t pkt_ct_reply_dport;	/* destination port of these packets, host order; 0 for
					 * ICMP, or if the state is none or untracked */
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
	int read_bytes;			/* bytes that were taken from the socket; for a datagram,
					 * those that the process wanted of it */
	uint64_t read_queued;		/* nanoseconds since the data came to the socket; 0 if
					 * unknown. If TCP has merged segments, since the newest
					 * of them. Where args[0] is a packet, it is pkt_age, so
					 * it includes the microseconds that IP and TCP took */
} readinfo_t;

/* K is the packet, or NULL. Without a packet, queued is the time since the data came. */
translator readinfo_t < int bytes, struct sk_buff *K, uint64_t queued > {
	read_bytes = bytes;
	read_queued = !__live ? 0 : K != NULL ? __stamp_age(K->tstamp, __stamp_clock[K]) : queued;
};

/* Data that a process wrote to a socket. */
typedef struct writeinfo {
	int write_bytes;		/* bytes that the socket took; 0 if it took none, or on
					 * an error */
	int write_error;		/* errno of the call; 0 if the call succeeded */
} writeinfo_t;

translator writeinfo_t < int result > {
	write_bytes = result < 0 ? 0 : result;
	write_error = result < 0 ? -result : 0;
};

/*
 * Is the running thread in a system call that only peeks at data (MSG_PEEK)? The numbers are those
 * of recvfrom(2), recvmsg(2) and recvmmsg(2) on x86-64 and on arm64. 32-bit programs on x86-64 use
 * other numbers. Kernel threads are never in a system call.
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
	uint8_t ip_ver;			/* version: 4 or 6; without a header that of the
					 * socket; 0 if there is no socket either */
	uint32_t ip_plength;		/* bytes of payload: IPv4's length without its header;
					 * IPv6's payload length with extension headers (RFC 791,
					 * RFC 8200). The jumbo option that Linux adds to packets
					 * over 64 KB until it cuts them does not count */
	string ip_saddr;		/* source address as text; "<unknown>" if there is no
					 * header and no socket */
	string ip_daddr;		/* destination address as text; "<unknown>" if there is
					 * no header and no socket */
} ipinfo_t;

/*
 * len is the number of bytes from the header to the end of the packet. If answer is true, I is the
 * header of a received packet, and the translator shows the TCP reset that answers this packet. S is
 * the socket, whose addresses are used if there is no header. out is true if the packet is sent.
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
	string if_name;			/* name, as in ip link; another network namespace may
					 * have the same name, see if_ipstack; in replay the
					 * name of the capture's interface; "<null>" if
					 * unknown */
	int8_t if_local;		/* 1 for the loopback device; 0 for another device, or
					 * none */
	uint64_t if_ipstack;		/* network namespace of the device: its inode number, as
					 * in lsns; in replay 0 */
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
	uint16_t ipv4_length;		/* bytes of header and payload; 0 in packets that are too
					 * long for the field until segmentation cuts them */
	uint16_t ipv4_ident;		/* identification, the same in all fragments of a
					 * datagram; host order */
	uint8_t ipv4_flags;		/* 4 means don't fragment (DF), 2 means more fragments
					 * (MF) */
	uint16_t ipv4_offset;		/* place of the fragment in the datagram, in units of 8
					 * bytes */
	uint8_t ipv4_ttl;		/* time to live: hops that are left */
	uint8_t ipv4_protocol;		/* protocol of the payload: IPPROTO_TCP, IPPROTO_UDP ... */
	string ipv4_protostr;		/* name of that protocol: "TCP"; its number if it has no
					 * name */
	uint16_t ipv4_checksum;		/* checksum of the header, host order; not complete in
					 * packets that are sent */
	ipaddr_t ipv4_src;		/* source address, network order */
	ipaddr_t ipv4_dst;		/* destination address, network order */
	string ipv4_saddr;		/* source address as text */
	string ipv4_daddr;		/* destination address as text */
	struct iphdr *ipv4_hdr;		/* the header itself, in network order; if it is NULL,
					 * reading through it is a fault */
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
	uint8_t ipv6_nexthdr;		/* kind of the header after this one: a protocol, or an
					 * extension header */
	string ipv6_nextstr;		/* name of that protocol: "TCP"; its number if it has no
					 * name */
	uint8_t ipv6_hlim;		/* hop limit: hops that are left */
	in6_addr_t *ipv6_src;		/* source address, 16 bytes in network order, for
					 * inet_ntoa6(); NULL if not IPv6 */
	in6_addr_t *ipv6_dst;		/* destination address, 16 bytes in network order; NULL
					 * if not IPv6 */
	string ipv6_saddr;		/* source address as text */
	string ipv6_daddr;		/* destination address as text */
	struct ipv6hdr *ipv6_hdr; /* the header itself, in network order; if it is NULL, reading
					 * through it is a fault */
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
