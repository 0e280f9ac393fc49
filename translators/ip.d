/*
 * ip.d - the stable structs of the ip provider, over the kernel's.
 *
 * All numbers are in host order, lengths in bytes, unless a line says otherwise.
 * A header that is not there gives 0 and "<null>" or "<unknown>", never a fault.
 */

typedef struct pktinfo {
	uintptr_t pkt_addr;             /* the sk_buff */
} pktinfo_t;

translator pktinfo_t < struct sk_buff *P > {
	pkt_addr = (uintptr_t)P;
};

typedef struct ipinfo {
	uint8_t ip_ver;                 /* 4, 6; 0: unknown */
	uint32_t ip_plength;            /* payload, IPv6 extension headers included */
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

/*
 * len: from the header to the end of the packet.  answer: I is a packet received, and
 * what is shown is the TCP reset that answers it.  S: the socket, which knows the
 * addresses if there is no header; out: they are those of a packet sent.
 */
translator ipinfo_t < struct iphdr *I, uint32_t len, int answer, struct sock *S, int out > {
	ip_ver = I != NULL ? I->version : S == NULL ? 0 : S->__sk_common.skc_family == AF_INET ? 4 : 6;
	ip_plength = I == NULL ? 0 : answer ? 20 : __ip_plength[I, len];
	ip_saddr = I == NULL ? (out || answer ? __sock_laddr[S] : __sock_raddr[S]) :
	    answer ? __ip_dest[I] : __ip_source[I];
	ip_daddr = I == NULL ? (out || answer ? __sock_raddr[S] : __sock_laddr[S]) :
	    answer ? __ip_source[I] : __ip_dest[I];
};

typedef struct ifinfo {
	string if_name;
	int8_t if_local;                /* 1: loopback */
	uint64_t if_ipstack;            /* network namespace: its inode number */
	uintptr_t if_addr;              /* the net_device */
} ifinfo_t;

translator ifinfo_t < struct net_device *D > {
	if_name = D == NULL ? "<null>" : stringof(D->name);
	if_local = D == NULL ? 0 : (D->flags & 0x8) != 0;
	if_ipstack = D == NULL ? 0 : (uint64_t)D->nd_net.net->ns.inum;
	if_addr = (uintptr_t)D;
};

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;               /* header length in bytes */
	uint8_t ipv4_tos;
	uint16_t ipv4_length;           /* header and payload */
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;             /* 4: don't fragment, 2: more fragments */
	uint16_t ipv4_offset;           /* in units of 8 bytes */
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;              /* network order */
	ipaddr_t ipv4_dst;              /* network order */
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
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

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;             /* 20 bits */
	uint16_t ipv6_plen;             /* payload, extension headers included */
	uint8_t ipv6_nexthdr;           /* of the first header */
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	in6_addr_t *ipv6_src;
	in6_addr_t *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
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
