/*
 * udp.d - the stable structs of the udp and udplite providers.
 *
 * Ports and addresses in udpsinfo_t come from the packet, so unconnected sockets have them too.
 * Without a packet, they come from the socket. Numbers are in host order, lengths in bytes.
 */

/* The UDP header (RFC 768). If it is NULL, ports and lengths are 0. */
typedef struct udpinfo {
	uint16_t udp_sport;		/* source port, host order */
	uint16_t udp_dport;		/* destination port, host order */
	int32_t udp_length;		/* bytes of header (8) and data; in IPv6, if the header
					 * has 0, from the packet's length, as in a jumbogram
					 * (RFC 2675) */
	uint16_t udp_checksum;		/* checksum, host order; 0 if the sender has not
					 * computed it; not complete yet in packets that this
					 * host sends */
	struct udphdr *udp_hdr;		/* pointer to the header, in network order; NULL if the
					 * header is not available */
} udpinfo_t;

/* The length if the header has 0: bytes from U to the end of the packet with IPv6 header I. */
inline uint32_t __udp_at[struct udphdr *U, struct iphdr *I] = (uint32_t)((char *)U - (char *)I);
inline uint32_t __udp_rest[struct udphdr *U, struct iphdr *I, uint32_t len] =
	__ip_length[I, len] < __udp_at[U, I] ? 0 : __ip_length[I, len] - __udp_at[U, I];

/* I is the IP header before U, and len is the number of bytes from I to the end of the packet. */
translator udpinfo_t < struct udphdr *U, struct iphdr *I, uint32_t len > {
	udp_sport = U == NULL ? 0 : ntohs(U->source);
	udp_dport = U == NULL ? 0 : ntohs(U->dest);
	udp_length = U == NULL ? 0 : U->len == 0 && I != NULL && I->version == 6 ? __udp_rest[U, I, len] :
	    ntohs(U->len);
	udp_checksum = U == NULL ? 0 : ntohs(U->check);
	udp_hdr = U;
};

/*
 * The UDP socket. Addresses and ports come from the datagram, so unconnected sockets have them too.
 * Without a datagram, they come from the socket.
 */
typedef struct udpsinfo {
	uintptr_t udps_addr;		/* address of the kernel's sock; 0 if there is no
					 * socket */
	uint16_t udps_lport;		/* port of this host, host order */
	uint16_t udps_rport;		/* port of the other host, host order */
	string udps_laddr;		/* address of this host as text */
	string udps_raddr;		/* address of the other host as text */
} udpsinfo_t;

/* If out is true, this host is the source of the packet, else the destination. */
translator udpsinfo_t < struct sock *S, struct iphdr *I, struct udphdr *U, int out > {
	udps_addr = (uintptr_t)S;
	udps_lport = U == NULL ? __sock_lport[S] : ntohs(out ? U->source : U->dest);
	udps_rport = U == NULL ? __sock_rport[S] : ntohs(out ? U->dest : U->source);
	udps_laddr = I == NULL ? __sock_laddr[S] : __near_addr[I, out];
	udps_raddr = I == NULL ? __sock_raddr[S] : __far_addr[I, out];
};

/* The UDP-Lite header (RFC 3828). If it is NULL, ports and lengths are 0. */
typedef struct udpliteinfo {
	uint16_t udplite_sport;		/* source port, host order */
	uint16_t udplite_dport;		/* destination port, host order */
	uint16_t udplite_coverage;	/* number of bytes that the checksum covers, header
					 * included; 0 means all bytes */
	uint16_t udplite_checksum;	/* checksum, host order; not complete yet in packets
					 * that this host sends */
	struct udphdr *udplite_hdr;	/* pointer to the header, in network order; NULL if the
					 * header is not available */
} udpliteinfo_t;

translator udpliteinfo_t < struct udphdr *U > {
	udplite_sport = U == NULL ? 0 : ntohs(U->source);
	udplite_dport = U == NULL ? 0 : ntohs(U->dest);
	udplite_coverage = U == NULL ? 0 : ntohs(U->len);
	udplite_checksum = U == NULL ? 0 : ntohs(U->check);
	udplite_hdr = U;
};

/* The UDP-Lite socket, with the datagram's addresses and ports. */
typedef struct udplitesinfo {
	uintptr_t udplites_addr; /* address of the kernel's sock; 0 if there is no socket */
	uint16_t udplites_lport; /* port of this host, host order */
	uint16_t udplites_rport; /* port of the other host, host order */
	string udplites_laddr;		/* address of this host as text */
	string udplites_raddr;		/* address of the other host as text */
} udplitesinfo_t;

translator udplitesinfo_t < struct sock *S, struct iphdr *I, struct udphdr *U, int out > {
	udplites_addr = (uintptr_t)S;
	udplites_lport = U == NULL ? 0 : ntohs(out ? U->source : U->dest);
	udplites_rport = U == NULL ? 0 : ntohs(out ? U->dest : U->source);
	udplites_laddr = __near_addr[I, out];
	udplites_raddr = __far_addr[I, out];
};
