/*
 * dns.d - queries of DNS that this host asks, and their responses: datagrams to and from port 53, and in
 * captures messages in connections there.
 */
#pragma D attributes Evolving/Evolving/ISA provider dns provider
#pragma D attributes Private/Private/Unknown provider dns module
#pragma D attributes Private/Private/Unknown provider dns function
#pragma D attributes Evolving/Evolving/ISA provider dns name
#pragma D attributes Evolving/Evolving/ISA provider dns args

/*
 * there: so many bytes of the message lie in one piece.  asked: when the query of this response was sent; 0: not
 * known.  segment: the message is in one, whose ports are where a datagram's are.
 */
provider dns {
	/*
	 * A socket sends a query to a server's port 53: by UDP, in captures also by TCP.  Linux's own.
	 */
	probe query(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len, unsigned char *dns, int there, uint64_t asked, int segment) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    dnsinfo_t *(dns, there, asked, segment));
	/*
	 * The socket that asked gets a response from a server's port 53: its owner is who asked.
	 * Linux's own.
	 */
	probe response(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len, unsigned char *dns, int there, uint64_t asked, int segment) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    dnsinfo_t *(dns, there, asked, segment));
};

/*
 * When a socket first asked with a number.  The same number in half a minute is the same query again; later
 * another.
 */
uint64_t __dns_asked[uint64_t, uint16_t];
inline uint64_t __DNS_AGAIN = 30000000000;

/* All of the header must lie in one piece with the packet's beginning; what is not there of the question is not known. */
inline unsigned char *__dns_of[struct udphdr *u] = (unsigned char *)u + 8;
inline uint16_t __dns_id[struct udphdr *u] = __dns_word[__dns_of[u], 0];
inline int __is_dns[struct sk_buff *s, struct udphdr *u, int port, int response] =
	port == htons(53) && ntohs(u->len) >= 20 && __there[s, __dns_of[u]] >= 12 &&
	*(__dns_of[u] + 2) >> 7 == response;
inline int __is_query[struct sk_buff *s, struct udphdr *u] = __is_dns[s, u, u->dest, 0];
inline int __is_response[struct sk_buff *s, struct udphdr *u] = __is_dns[s, u, u->source, 1];

inline struct udphdr *__here_udp = (struct udphdr *)__noted_l4;
inline struct udphdr *__clear_udp = (struct udphdr *)__l4_of[args[1]];
inline struct udphdr *__out_udp = (struct udphdr *)__l4_of[args[2]];
inline int __out_query = __out_own[IPPROTO_UDP, __SOCK_DGRAM] && __is_query[args[2], __out_udp];

/* A capture's sockets have their numbers from the start. */
inline uint64_t __dns_socket[struct sock *s] = __live ? __cookie(s) : (uint64_t)s->__sk_common.skc_cookie.counter;
inline int __dns_again[struct sock *s, struct udphdr *u] =
	timestamp - __dns_asked[__dns_socket[s], __dns_id[u]] < __DNS_AGAIN;

/*
 * In connections two bytes say how long the message behind them is.  Where the next one begins is known from
 * the one before, or as what begins so here may well be one: in live segments the bytes lie in pages that a program
 * does not get at, so there are none.  What was sent before, and what goes on with a message, is no new one.
 */
uint64_t __dns_next[uint64_t, int]; /* way out: sequence number | known | bare: the length has come | that << 34 */
inline uint64_t __DNS_KNOWN = 0x100000000;
inline uint64_t __DNS_BARE = 0x200000000;

inline unsigned char *__dns_data = (unsigned char *)__noted_tcp + __noted_tcp->doff * 4;
inline int __dns_size = __tcp_data[__data_ip, __noted_tcp, args[0]->len];
inline uint32_t __dns_seq = ntohl(__noted_tcp->seq);
inline int __dns_port[int out] = (out ? __noted_tcp->dest : __noted_tcp->source) == htons(53);
inline int __dns_begins = args[1] != NULL && __dns_size >= 2 && __there[args[0], __dns_data] >= 2;
inline uint64_t __dns_was[int out] = __dns_next[__dns_socket[args[1]], out];
inline int __dns_due[int out] = __dns_was[out] != 0 && (int)(__dns_seq - (uint32_t)__dns_was[out]) <= 0;
inline int __dns_bare[int out] = __dns_due[out] && (__dns_was[out] & __DNS_BARE) != 0;
inline int __dns_says[int out] = __dns_bare[out] ? (int)(__dns_was[out] >> 34) : ntohs(*(uint16_t *)__dns_data);
inline int __dns_ahead[int out] = __dns_bare[out] ? 0 : 2;
/* As it is due, or as what could be one: asks one question, or is but a length. */
inline int __dns_could_be[int out] = __dns_size == 2 || (__dns_size >= 14 && __there[args[0], __dns_data] >= 14 &&
	__dns_word[__dns_data, 3] == 1);
inline int __dns_fits[int out] = __dns_due[out] ? __dns_seq == (uint32_t)__dns_was[out] : __dns_could_be[out];
inline int __dns_starts[int out] = __dns_port[out] && __dns_begins && __dns_fits[out] && __dns_says[out] >= 12;
inline int __dns_shows[int out] = __dns_starts[out] && __dns_size >= __dns_ahead[out] + 12 &&
	__there[args[0], __dns_data] >= __dns_ahead[out] + 12 && *(__dns_data + __dns_ahead[out] + 2) >> 7 == !out;
inline uint64_t __dns_then[int out] = __dns_size == 2 && !__dns_bare[out] ?
	(uint32_t)(__dns_seq + 2) | __DNS_KNOWN | __DNS_BARE | (uint64_t)__dns_says[out] << 34 :
	(uint32_t)(__dns_seq + __dns_ahead[out] + __dns_says[out]) | __DNS_KNOWN;

/* Looked for once a segment: 1 more than how far in its data a message begins; 0: none does. */
int __dns_at;
inline unsigned char *__dns_text = __dns_data + __dns_at - 1;
inline int __dns_rest = __dns_size - __dns_at + 1;
inline int __dns_shown = (int)(__there[args[0], __dns_text] < __dns_rest ? __there[args[0], __dns_text] : __dns_rest);
inline uint64_t __dns_since = __dns_asked[__dns_socket[args[1]], __dns_word[__dns_text, 0]];

replay:::tcp_send
{
	__dns_at = __dns_shows[1] ? __dns_ahead[1] + 1 : 0;
}

replay:::tcp_receive
{
	__dns_at = __dns_shows[0] ? __dns_ahead[0] + 1 : 0;
}

replay:::udp_send
/ __is_query[args[0], __here_udp] && !__dns_again[args[1], __here_udp] /
{
	__dns_asked[__dns_socket[args[1]], __dns_id[__here_udp]] = timestamp;
}
or
cgroup_skb:::egress
/ __udp_socket && !__sealed && __is_query[args[0], __here_udp] && !__dns_again[args[0]->sk, __here_udp] /
{
	__dns_asked[__dns_socket[args[0]->sk], __dns_id[__here_udp]] = timestamp;
}
or
fbt::ip_finish_output:entry, fbt::ip6_finish_output:entry
/ __out_query && !__dns_again[args[2]->sk, __out_udp] /
{
	__dns_asked[__dns_socket[args[2]->sk], __dns_id[__out_udp]] = timestamp;
}

replay:::tcp_send
/ __dns_at != 0 && timestamp - __dns_since >= __DNS_AGAIN /
{
	__dns_asked[__dns_socket[args[1]], __dns_word[__dns_text, 0]] = timestamp;
}

dns:::query
	on replay:::udp_send
	/ __is_query[args[0], __here_udp] /
	(args[0], args[1], __data_ip, __here_udp, 1, args[0]->len, __dns_of[__here_udp],
	 (int)__there[args[0], __dns_of[__here_udp]], 0, 0)

	on replay:::tcp_send
	/ __dns_at != 0 /
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_tcp, 1, args[0]->len, __dns_text, __dns_shown, 0, 1)
or
	on cgroup_skb:::egress
	/ __udp_socket && !__sealed && __is_query[args[0], __here_udp] /
	(args[0], args[0]->sk, __data_ip, __here_udp, 1, args[0]->len, __dns_of[__here_udp],
	 (int)__there[args[0], __dns_of[__here_udp]], 0, 0)
or
	on fbt::ip_finish_output:entry
	/ __out_query /
	(args[2], args[2]->sk, __ip_of[args[2]], __out_udp, 1, args[2]->len, __dns_of[__out_udp],
	 (int)__there[args[2], __dns_of[__out_udp]], 0, 0)

	on fbt::ip6_finish_output:entry
	/ __out_query /
	(args[2], args[2]->sk, __ip_of[args[2]], __out_udp, 1, args[2]->len, __dns_of[__out_udp],
	 (int)__there[args[2], __dns_of[__out_udp]], 0, 0)
;

dns:::response
	on replay:::udp_receive
	/ __is_response[args[0], __here_udp] /
	(args[0], args[1], __data_ip, __here_udp, 0, args[0]->len, __dns_of[__here_udp],
	 (int)__there[args[0], __dns_of[__here_udp]], __dns_asked[__dns_socket[args[1]], __dns_id[__here_udp]], 0)

	on replay:::tcp_receive
	/ __dns_at != 0 /
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_tcp, 0, args[0]->len, __dns_text, __dns_shown, __dns_since, 1)
or
	on cgroup_skb:::ingress
	/ __udp_socket && __is_response[args[0], __here_udp] /
	(args[0], args[0]->sk, __data_ip, __here_udp, 0, args[0]->len, __dns_of[__here_udp],
	 (int)__there[args[0], __dns_of[__here_udp]], __dns_asked[__dns_socket[args[0]->sk], __dns_id[__here_udp]], 0)
or
	on fbt::sk_filter_trim_cap:entry
	/ __in_own[IPPROTO_UDP, __SOCK_DGRAM] && __is_response[args[1], __clear_udp] /
	(args[1], args[0], __ip_of[args[1]], __clear_udp, 0, __len_of[args[1]], __dns_of[__clear_udp],
	 (int)__there[args[1], __dns_of[__clear_udp]], __dns_asked[__dns_socket[args[0]], __dns_id[__clear_udp]], 0)
;

/* Behind the last of its probes: a query is answered once. */
replay:::udp_receive
/ __is_response[args[0], __here_udp] /
{
	__dns_asked[__dns_socket[args[1]], __dns_id[__here_udp]] = 0;
}
or
cgroup_skb:::ingress
/ __udp_socket && __is_response[args[0], __here_udp] /
{
	__dns_asked[__dns_socket[args[0]->sk], __dns_id[__here_udp]] = 0;
}
or
fbt::sk_filter_trim_cap:entry
/ __in_own[IPPROTO_UDP, __SOCK_DGRAM] && __is_response[args[1], __clear_udp] /
{
	__dns_asked[__dns_socket[args[0]], __dns_id[__clear_udp]] = 0;
}

replay:::tcp_receive
/ __dns_at != 0 /
{
	__dns_asked[__dns_socket[args[1]], __dns_word[__dns_text, 0]] = 0;
}

replay:::tcp_send
/ __dns_starts[1] /
{
	__dns_next[__dns_socket[args[1]], 1] = __dns_then[1];
}

replay:::tcp_receive
/ __dns_starts[0] /
{
	__dns_next[__dns_socket[args[1]], 0] = __dns_then[0];
}
