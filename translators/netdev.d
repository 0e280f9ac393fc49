/*
 * netdev.d - the stable structs of the net provider.
 */

/* A packet at a network device, and its queue. */
typedef struct netinfo {
	uint16_t net_protocol;		/* EtherType of the packet, host order: 0x0800 is IPv4,
					 * 0x86dd IPv6, 0x0806 ARP */
	uint32_t net_length;		/* bytes of the packet; if it is sent, with the link
					 * header */
	int net_queue;			/* number of the device's queue; -1 if unknown */
	string net_qdisc;		/* name of the queueing discipline: "fq_codel",
					 * "noqueue"; "<unknown>" if the packet is in no queue */
	uint32_t net_data;		/* bytes after the header of TCP or UDP; for other IP
					 * protocols, bytes after the IP header; for other
					 * packets, net_length; 0 if headers claim more bytes
					 * than the packet has */
	uint32_t net_mark;		/* mark of the packet, as firewalls and ip-rule(8) use it */
	int net_segments;		/* number of segments that offload has merged into the
					 * packet, or will cut it into; 0 and 1 mean one segment */
} netinfo_t;

/* Length of the TCP or UDP header in bytes; 0 if there is none, or if it cannot be read. */
inline uint32_t __l4_hlen[int protocol, void *L] = L == NULL ? 0 : protocol == IPPROTO_TCP ?
	((struct tcphdr *)L)->doff * 4 : protocol == IPPROTO_UDP || protocol == IPPROTO_UDPLITE ? 8 : 0;
inline uint32_t __heads[struct iphdr *I, void *L] = __ip_hlen[I] + __l4_hlen[__ip_protocol[I], L];
inline uint32_t __data_bytes[struct iphdr *I, void *L, uint32_t len] = __ip_length[I, len] < __heads[I, L] ? 0 :
	__ip_length[I, len] - __heads[I, L];

translator netinfo_t < struct sk_buff *K, uint32_t len, int queue, struct Qdisc *Q, struct iphdr *I, void *L > {
	net_protocol = K == NULL ? 0 : ntohs(K->protocol);
	net_length = len;
	net_queue = queue;
	net_qdisc = Q == NULL ? "<unknown>" : stringof(Q->ops->id);
	net_data = I == NULL ? len : __data_bytes[I, L, __filter_in_buffer[K, I] ? len - (int)((uintptr_t)I - (uintptr_t)K->data) : len];
	net_mark = K == NULL ? 0 : K->mark;
	net_segments = __gso_segments[K];
};

/* The result of GRO for a packet. */
typedef struct groinfo {
	string gro_result;		/* "MERGED", "MERGED_FREE": GRO has merged the packet
					 * with a packet that it holds; "HELD": GRO holds the
					 * packet, to merge later packets with it; "NORMAL": GRO
					 * passes the packet on unchanged; "CONSUMED": a
					 * protocol, such as IPsec, took the packet from GRO */
} groinfo_t;

translator groinfo_t < int result > {
	gro_result = __enum_string("gro_result", "GRO_", result);
};

/* The result of a driver's function for sending. */
typedef struct xmitinfo {
	int xmit_result;		/* 0 if the driver took the packet; 16 if the driver was
					 * busy, so that the stack will try again; else
					 * NET_XMIT_* or a negative errno */
	uint32_t xmit_length;		/* bytes of the packet, with the link header */
} xmitinfo_t;

translator xmitinfo_t < int result, uint32_t len > {
	xmit_result = result;
	xmit_length = len;
};

/* For a packet that may already be freed: its memory cannot be read, so only pkt_addr is known. */
translator pktinfo_t < uintptr_t A > {
	pkt_addr = A;
	pkt_age = 0;
	pkt_age_from = PKT_AGE_UNKNOWN;
	pkt_ct_state = "none";
	pkt_ct_reply = 0;
	pkt_ct_orig_saddr = "<unknown>";
	pkt_ct_orig_daddr = "<unknown>";
	pkt_ct_orig_sport = 0;
	pkt_ct_orig_dport = 0;
	pkt_ct_reply_saddr = "<unknown>";
	pkt_ct_reply_daddr = "<unknown>";
	pkt_ct_reply_sport = 0;
	pkt_ct_reply_dport = 0;
	pkt_ct_zone = 0;
};

/* For a route look-up, which has addresses but no packet. */
translator ipinfo_t < struct flowi_common *F, int version > {
	ip_ver = version;
	ip_plength = 0;
	ip_saddr = version == 4 ? inet_ntoa(&((struct flowi4 *)F)->saddr) :
	    inet_ntoa6(&((struct flowi6 *)F)->saddr);
	ip_daddr = version == 4 ? inet_ntoa(&((struct flowi4 *)F)->daddr) :
	    inet_ntoa6(&((struct flowi6 *)F)->daddr);
};

/* The result of looking up a route in one table. */
typedef struct routeinfo {
	uint32_t route_table;		/* number of the table: 254 is main, 255 is local, 253
					 * is default */
	int route_error;		/* errno of the look-up: 0 if the table has a route, 11
					 * (EAGAIN) if the kernel tries other tables */
	string route_gateway;		/* address of the next hop; "" if the packet goes
					 * directly to its destination, or if there is no route */
} routeinfo_t;

translator routeinfo_t < struct fib_nh_common *H, uint32_t table, int error > {
	route_table = table;
	route_error = error;
	route_gateway = H == NULL ? "" : H->nhc_gw_family == AF_INET ? inet_ntoa(&H->nhc_gw.ipv4) :
	    H->nhc_gw_family == AF_INET6 ? inet_ntoa6(&H->nhc_gw.ipv6) : "";
};
