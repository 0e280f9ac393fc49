/*
 * icmp.d - the stable struct of the icmp provider: ICMP (RFC 792) and ICMPv6 (RFC 4443).
 */

/*
 * The first eight bytes of a message have the same layout in both protocols: type, code, checksum,
 * and four bytes whose meaning depends on the type. In an error, the start of the packet that
 * caused the error follows. __icmp_quotes tells whether the message is an error.
 */
inline int __icmp_quotes[struct iphdr *h, int type] = h->version == 6 ? type < 128 :
	type == 3 || type == 4 || type == 5 || type == 11 || type == 12;

/* Does type @t have an identifier and a sequence number? */
inline int __icmp_counts[struct iphdr *h, int t] = h->version == 6 ? t == 128 || t == 129 :
	t == 0 || t == 8 || (t >= 13 && t <= 18);

inline string __icmp4_name[int t] =
	t == 0 ? "echo-reply" : t == 3 ? "unreachable" : t == 4 ? "source-quench" : t == 5 ? "redirect" :
	t == 8 ? "echo-request" : t == 9 ? "router-advertisement" : t == 10 ? "router-solicitation" :
	t == 11 ? "time-exceeded" : t == 12 ? "parameter-problem" : t == 13 ? "timestamp-request" :
	t == 14 ? "timestamp-reply" : lltostr(t);

inline string __icmp6_name[int t] =
	t == 1 ? "unreachable" : t == 2 ? "packet-too-big" : t == 3 ? "time-exceeded" :
	t == 4 ? "parameter-problem" : t == 128 ? "echo-request" : t == 129 ? "echo-reply" :
	t == 130 ? "listener-query" : t == 131 ? "listener-report" : t == 132 ? "listener-done" :
	t == 133 ? "router-solicitation" : t == 134 ? "router-advertisement" :
	t == 135 ? "neighbor-solicitation" : t == 136 ? "neighbor-advertisement" : t == 137 ? "redirect" :
	t == 143 ? "listener-report-v2" : lltostr(t);

/*
 * Ports of the packet that an error quotes. TCP, UDP, UDP-Lite and SCTP have them in the same
 * place. Of a packet in fragments, only the first fragment has them.
 */
inline unsigned char *__icmp_quoted_l4[struct iphdr *q] = (unsigned char *)q + (q->version == 4 ? q->ihl * 4 : 40);
inline int __icmp_quoted_protocol[struct iphdr *q] = q->version == 4 ? q->protocol : ((struct ipv6hdr *)q)->nexthdr;
inline int __icmp_has_ports[struct iphdr *q] = (q->version != 4 || (q->frag_off & htons(0x1fff)) == 0) &&
	(__icmp_quoted_protocol[q] == IPPROTO_TCP || __icmp_quoted_protocol[q] == IPPROTO_UDP ||
	 __icmp_quoted_protocol[q] == IPPROTO_UDPLITE || __icmp_quoted_protocol[q] == IPPROTO_SCTP);

/*
 * An ICMP or ICMPv6 message. Numbers are in host order. An ICMP error quotes the start of the
 * packet that caused the error; members icmp_about_* describe this quoted packet. If the ICMP
 * header was not captured, or is not in the packet's first buffer, all members are 0 or
 * "<unknown>".
 */
typedef struct icmpinfo {
	uint8_t icmp_type;		/* type of the message; ICMP and ICMPv6 use different
					 * numbers */
	uint8_t icmp_code;		/* code, which says more about the type: in
					 * "unreachable", for example the port or the host */
	string icmp_name;		/* name of icmp_type, the same for both protocols:
					 * "echo-request", "unreachable"; the number if the type
					 * has no name */
	uint16_t icmp_checksum;		/* checksum, host order */
	uint16_t icmp_id;		/* identifier of a request (echo, timestamp ...) and its
					 * reply; 0 in other messages */
	uint16_t icmp_seq;		/* sequence number of a request (echo, timestamp ...)
					 * and its reply; 0 in other messages */
	uint32_t icmp_mtu;		/* in "fragmentation needed" and "packet-too-big": size
					 * of the largest packet that can pass, in bytes; 0 in
					 * other messages, or if the message has no size */
	string icmp_about_saddr;	/* source address of the quoted packet, as text;
					 * "<unknown>" if the message is not an error */
	string icmp_about_daddr;	/* destination address of the quoted packet, as text;
					 * "<unknown>" if the message is not an error */
	uint8_t icmp_about_protocol;	/* protocol of the quoted packet, IPPROTO_*; 0 if the
					 * message is not an error */
	uint16_t icmp_about_sport;	/* source port of the quoted packet, host order; 0 if it
					 * has no ports (as a later fragment), or if the message
					 * is not an error */
	uint16_t icmp_about_dport;	/* destination port of the quoted packet, host order; 0
					 * if it has no ports (as a later fragment), or if the
					 * message is not an error */
	struct icmphdr *icmp_hdr;	/* the header itself, in network order; NULL if
					 * not available */
} icmpinfo_t;

translator icmpinfo_t < struct icmphdr *H, struct iphdr *I, struct iphdr *Q > {
	icmp_type = H == NULL ? 0 : H->type;
	icmp_code = H == NULL ? 0 : H->code;
	icmp_name = H == NULL ? "<unknown>" : I->version == 6 ? __icmp6_name[H->type] : __icmp4_name[H->type];
	icmp_checksum = H == NULL ? 0 : ntohs(H->checksum);
	icmp_id = H == NULL || !__icmp_counts[I, H->type] ? 0 : ntohs(H->un.echo.id);
	icmp_seq = H == NULL || !__icmp_counts[I, H->type] ? 0 : ntohs(H->un.echo.sequence);
	icmp_mtu = H == NULL ? 0 : I->version == 6 ? (H->type == 2 ? ntohl(H->un.gateway) : 0) :
	    H->type == 3 && H->code == 4 ? ntohs(H->un.frag.mtu) : 0;
	icmp_about_saddr = __ip_source[Q];
	icmp_about_daddr = __ip_dest[Q];
	icmp_about_protocol = Q == NULL ? 0 : __icmp_quoted_protocol[Q];
	icmp_about_sport = Q == NULL || !__icmp_has_ports[Q] ? 0 : ntohs(*(uint16_t *)__icmp_quoted_l4[Q]);
	icmp_about_dport = Q == NULL || !__icmp_has_ports[Q] ? 0 : ntohs(*(uint16_t *)(__icmp_quoted_l4[Q] + 2));
	icmp_hdr = H;
};
