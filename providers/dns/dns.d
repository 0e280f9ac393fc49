/*
 * dns.d - DNS queries that this host sends, and their responses.
 *
 * The owner of a socket is args[1]: cs_pid, cs_execname. The variables pid and execname are the
 * owner's at query only.
 *
 * These are datagrams to and from port 53, and in captures also messages in TCP connections to port
 * 53.
 */
#pragma D attributes Evolving/Evolving/ISA provider dns provider
#pragma D attributes Private/Private/Unknown provider dns module
#pragma D attributes Private/Private/Unknown provider dns function
#pragma D attributes Evolving/Evolving/ISA provider dns name
#pragma D attributes Evolving/Evolving/ISA provider dns args

/*
 * The native arguments (arguments before translation) of both probes:
 *
 * there    number of the message's bytes that are in one piece of memory
 * asked    time when the socket sent the query that this response answers, or 0 if that is unknown
 * segment  1 if the message is in a TCP segment. Then udp points to the TCP header, which has the
 *          ports in the same place.
 */
provider dns {
	/*
	 * A socket sends a query to port 53 of a server, by UDP, and in captures also by TCP. Other
	 * systems do not have this probe.
	 */
	probe query(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len, unsigned char *dns, int there, uint64_t asked, int segment) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    dnsinfo_t *(dns, there, asked, segment));
	/*
	 * A socket gets a response from port 53 of a server, by UDP, and in captures also by TCP.
	 * The probe does not check that the socket sent a query. Other systems do not have this
	 * probe.
	 */
	probe response(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len, unsigned char *dns, int there, uint64_t asked, int segment) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    dnsinfo_t *(dns, there, asked, segment));
};

/*
 * The time when a socket first sent a query, and the socket's cookie (the kernel's number of the
 * socket) with the query's number. A query with the same number within half a minute is a retry of
 * the first; after that, it is a new query. The place of a query follows from its socket and number.
 * A newer query may take the place, so queries that nobody answers need no more memory.
 */
uint64_t __dns_asked[16384], __dns_asker[16384];
inline uint64_t __dns_key[uint64_t socket, uint16_t id] = socket << 16 | id;
inline uint32_t __dns_place[uint64_t socket, uint16_t id] =
	((uint32_t)(socket * 0x9e3779b97f4a7c15 >> 32) + id) & 16383;
inline uint64_t __dns_time[uint64_t socket, uint16_t id] =
	__dns_asker[__dns_place[socket, id]] == __dns_key[socket, id] ? __dns_asked[__dns_place[socket, id]] : 0;
inline uint64_t __DNS_AGAIN = 30000000000;

/*
 * __is_dns tells whether the datagram is a query or a response of DNS. The whole DNS header must be
 * in one piece of memory with the beginning of the packet. Parts of the question that are not in
 * this piece are shown as unknown.
 */
inline unsigned char *__dns_of[struct udphdr *u] = (unsigned char *)u + 8;
inline uint16_t __dns_id[struct udphdr *u] = __dns_word[__dns_of[u], 0];
inline int __is_dns[struct sk_buff *s, struct udphdr *u, int port, int response] =
	port == htons(53) && ntohs(u->len) >= 20 && __there[s, __dns_of[u]] >= 12 &&
	*(__dns_of[u] + 2) >> 7 == response;
inline int __dns_there[struct sk_buff *s, struct udphdr *u] = __there[s, __dns_of[u]] < ntohs(u->len) - 8 ?
	(int)__there[s, __dns_of[u]] : ntohs(u->len) - 8;
inline int __is_query[struct sk_buff *s, struct udphdr *u] = __is_dns[s, u, u->dest, 0];
inline int __is_response[struct sk_buff *s, struct udphdr *u] = __is_dns[s, u, u->source, 1];

inline struct udphdr *__here_udp = (struct udphdr *)__noted_l4;
inline struct udphdr *__clear_udp = (struct udphdr *)__l4_of[args[1]];
inline struct udphdr *__out_udp = (struct udphdr *)__l4_of[args[2]];
inline int __out_query = __out_own[IPPROTO_UDP, __SOCK_DGRAM] && __is_query[args[2], __out_udp];

/* The cookie of a socket. In a capture, sockets have their cookies from the start. */
inline uint64_t __dns_socket[struct sock *s] = __live ? __cookie(s) : (uint64_t)s->__sk_common.skc_cookie.counter;
inline uint64_t __dns_first[struct sock *s, struct udphdr *u] = __dns_time[__dns_socket[s], __dns_id[u]];
/*
 * Did the socket send the same query less than half a minute ago? A time of 0 stands for no query.
 * The expression tests for 0, because timestamp is less than half a minute when the machine has
 * just started.
 */
inline int __dns_again[struct sock *s, struct udphdr *u] =
	__dns_first[s, u] != 0 && timestamp - __dns_first[s, u] < __DNS_AGAIN;

/*
 * DNS messages in TCP connections. Replay finds these messages (engine/replay/tcp/dns.h). In a live
 * run no probe shows them, because their bytes are in pages that an eBPF program cannot read.
 */
inline unsigned char *__dns_text = args[2]->text;
inline uint64_t __dns_since = __dns_time[__dns_socket[args[1]], __dns_word[__dns_text, 0]];

replay:::udp_send
/ __is_query[args[0], __here_udp] && !__dns_again[args[1], __here_udp] /
{
	__dns_asked[__dns_place[__dns_socket[args[1]], __dns_id[__here_udp]]] = timestamp;
	__dns_asker[__dns_place[__dns_socket[args[1]], __dns_id[__here_udp]]] = __dns_key[__dns_socket[args[1]], __dns_id[__here_udp]];
}
or
cgroup_skb:::egress
/ __udp_socket && !__sealed && __is_query[args[0], __here_udp] && !__dns_again[args[0]->sk, __here_udp] /
{
	__dns_asked[__dns_place[__dns_socket[args[0]->sk], __dns_id[__here_udp]]] = timestamp;
	__dns_asker[__dns_place[__dns_socket[args[0]->sk], __dns_id[__here_udp]]] = __dns_key[__dns_socket[args[0]->sk], __dns_id[__here_udp]];
}
or
fbt::ip_finish_output:entry, fbt::ip6_finish_output:entry
/ __out_query && !__dns_again[args[2]->sk, __out_udp] /
{
	__dns_asked[__dns_place[__dns_socket[args[2]->sk], __dns_id[__out_udp]]] = timestamp;
	__dns_asker[__dns_place[__dns_socket[args[2]->sk], __dns_id[__out_udp]]] = __dns_key[__dns_socket[args[2]->sk], __dns_id[__out_udp]];
}

replay:::dns_send
/ __dns_since == 0 || timestamp - __dns_since >= __DNS_AGAIN /
{
	__dns_asked[__dns_place[__dns_socket[args[1]], __dns_word[__dns_text, 0]]] = timestamp;
	__dns_asker[__dns_place[__dns_socket[args[1]], __dns_word[__dns_text, 0]]] = __dns_key[__dns_socket[args[1]], __dns_word[__dns_text, 0]];
}

dns:::query
	on replay:::udp_send
	/ __is_query[args[0], __here_udp] /
	(args[0], args[1], __data_ip, __here_udp, 1, args[0]->len, __dns_of[__here_udp],
	 __dns_there[args[0], __here_udp], 0, 0)

	on replay:::dns_send
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_tcp, 1, args[0]->len, __dns_text, (int)args[2]->len, 0, 1)
or
	on cgroup_skb:::egress
	/ __udp_socket && !__sealed && __is_query[args[0], __here_udp] /
	(args[0], args[0]->sk, __data_ip, __here_udp, 1, args[0]->len, __dns_of[__here_udp],
	 __dns_there[args[0], __here_udp], 0, 0)
or
	on fbt::ip_finish_output:entry
	/ __out_query /
	(args[2], args[2]->sk, __ip_of[args[2]], __out_udp, 1, args[2]->len, __dns_of[__out_udp],
	 __dns_there[args[2], __out_udp], 0, 0)

	on fbt::ip6_finish_output:entry
	/ __out_query /
	(args[2], args[2]->sk, __ip_of[args[2]], __out_udp, 1, args[2]->len, __dns_of[__out_udp],
	 __dns_there[args[2], __out_udp], 0, 0)
;

dns:::response
	on replay:::udp_receive
	/ __is_response[args[0], __here_udp] /
	(args[0], args[1], __data_ip, __here_udp, 0, args[0]->len, __dns_of[__here_udp],
	 __dns_there[args[0], __here_udp], __dns_time[__dns_socket[args[1]], __dns_id[__here_udp]], 0)

	on replay:::dns_receive
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_tcp, 0, args[0]->len, __dns_text, (int)args[2]->len, __dns_since, 1)
or
	on cgroup_skb:::ingress
	/ __udp_socket && __is_response[args[0], __here_udp] /
	(args[0], args[0]->sk, __data_ip, __here_udp, 0, args[0]->len, __dns_of[__here_udp],
	 __dns_there[args[0], __here_udp], __dns_time[__dns_socket[args[0]->sk], __dns_id[__here_udp]], 0)
or
	on fbt::sk_filter_trim_cap:entry
	/ __in_own[IPPROTO_UDP, __SOCK_DGRAM] && __is_response[args[1], __clear_udp] /
	(args[1], args[0], __ip_of[args[1]], __clear_udp, 0, __len_of[args[1]], __dns_of[__clear_udp],
	 __dns_there[args[1], __clear_udp], __dns_time[__dns_socket[args[0]], __dns_id[__clear_udp]], 0)
;

/* Forgets the query after the last probe of its response, because a query is answered only once. */
replay:::udp_receive
/ __is_response[args[0], __here_udp] /
{
	__dns_asker[__dns_place[__dns_socket[args[1]], __dns_id[__here_udp]]] =
	    __dns_time[__dns_socket[args[1]], __dns_id[__here_udp]] != 0 ? 0 : __dns_asker[__dns_place[__dns_socket[args[1]], __dns_id[__here_udp]]];
}
or
cgroup_skb:::ingress
/ __udp_socket && __is_response[args[0], __here_udp] /
{
	__dns_asker[__dns_place[__dns_socket[args[0]->sk], __dns_id[__here_udp]]] =
	    __dns_time[__dns_socket[args[0]->sk], __dns_id[__here_udp]] != 0 ? 0 : __dns_asker[__dns_place[__dns_socket[args[0]->sk], __dns_id[__here_udp]]];
}
or
fbt::sk_filter_trim_cap:entry
/ __in_own[IPPROTO_UDP, __SOCK_DGRAM] && __is_response[args[1], __clear_udp] /
{
	__dns_asker[__dns_place[__dns_socket[args[0]], __dns_id[__clear_udp]]] =
	    __dns_time[__dns_socket[args[0]], __dns_id[__clear_udp]] != 0 ? 0 : __dns_asker[__dns_place[__dns_socket[args[0]], __dns_id[__clear_udp]]];
}

replay:::dns_receive
{
	__dns_asker[__dns_place[__dns_socket[args[1]], __dns_word[__dns_text, 0]]] =
	    __dns_time[__dns_socket[args[1]], __dns_word[__dns_text, 0]] != 0 ? 0 : __dns_asker[__dns_place[__dns_socket[args[1]], __dns_word[__dns_text, 0]]];
}
