/*
 * udp.d - the stable structs of the udp and udplite providers.
 *
 * Ports and addresses of udpsinfo_t are the packet's own, seen from this host, so
 * that they are there for unconnected sockets too.  Host order; lengths in bytes.
 */

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;            /* header and data */
	uint16_t udp_checksum;          /* 0: none; not complete yet in packets sent */
	struct udphdr *udp_hdr;
} udpinfo_t;

translator udpinfo_t < struct udphdr *U > {
	udp_sport = U == NULL ? 0 : ntohs(U->source);
	udp_dport = U == NULL ? 0 : ntohs(U->dest);
	udp_length = U == NULL ? 0 : ntohs(U->len);
	udp_checksum = U == NULL ? 0 : ntohs(U->check);
	udp_hdr = U;
};

typedef struct udpsinfo {
	uintptr_t udps_addr;            /* the socket */
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

/* out: the packet is sent, so its source is this host. */
translator udpsinfo_t < struct sock *S, struct iphdr *I, struct udphdr *U, int out > {
	udps_addr = (uintptr_t)S;
	udps_lport = U == NULL ? __sock_lport[S] : ntohs(out ? U->source : U->dest);
	udps_rport = U == NULL ? __sock_rport[S] : ntohs(out ? U->dest : U->source);
	udps_laddr = __near_addr[I, out];
	udps_raddr = __far_addr[I, out];
};

typedef struct udpliteinfo {
	uint16_t udplite_sport;
	uint16_t udplite_dport;
	uint16_t udplite_coverage;      /* bytes that the checksum covers; 0: all */
	uint16_t udplite_checksum;
	struct udphdr *udplite_hdr;
} udpliteinfo_t;

translator udpliteinfo_t < struct udphdr *U > {
	udplite_sport = U == NULL ? 0 : ntohs(U->source);
	udplite_dport = U == NULL ? 0 : ntohs(U->dest);
	udplite_coverage = U == NULL ? 0 : ntohs(U->len);
	udplite_checksum = U == NULL ? 0 : ntohs(U->check);
	udplite_hdr = U;
};

typedef struct udplitesinfo {
	uintptr_t udplites_addr;
	uint16_t udplites_lport;
	uint16_t udplites_rport;
	string udplites_laddr;
	string udplites_raddr;
} udplitesinfo_t;

translator udplitesinfo_t < struct sock *S, struct iphdr *I, struct udphdr *U, int out > {
	udplites_addr = (uintptr_t)S;
	udplites_lport = U == NULL ? 0 : ntohs(out ? U->source : U->dest);
	udplites_rport = U == NULL ? 0 : ntohs(out ? U->dest : U->source);
	udplites_laddr = __near_addr[I, out];
	udplites_raddr = __far_addr[I, out];
};
