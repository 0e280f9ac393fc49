/*
 * udp.d - datagrams between sockets and IP.
 *
 * The owner of a socket is args[1]: cs_pid, cs_execname. The variables pid and execname are the
 * owner's at send, read and write. At receive and drop they are those of the thread that a packet
 * interrupted.
 */
#pragma D attributes Evolving/Evolving/ISA provider udp provider
#pragma D attributes Private/Private/Unknown provider udp module
#pragma D attributes Private/Private/Unknown provider udp function
#pragma D attributes Evolving/Evolving/ISA provider udp name
#pragma D attributes Evolving/Evolving/ISA provider udp args

provider udp {
	/*
	 * A socket sends a datagram. The probe fires once for each datagram (with UDP_SEGMENT once
	 * for each call), before fragmentation.
	 */
	probe send(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    udpinfo_t *(udp, ip, len));
	/*
	 * A datagram has reached its socket, whose filter sees it next. The probe fires once for
	 * each socket that the datagram is for. If the socket then refuses the datagram, drop
	 * fires with this socket.
	 */
	probe receive(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    udpinfo_t *(udp, ip, len));

	/*
	 * A process takes a datagram from a socket. A datagram that is only looked at (MSG_PEEK)
	 * does not fire the probe. On kernels without function tracing the datagram is not seen:
	 * args[0] has only the address that the datagram had, args[2] and args[4] have no packet,
	 * and addresses and ports are the socket's. pid is the process. Other systems do not have
	 * this probe, and it fires in live runs only.
	 */
	probe read(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len, int bytes, uint64_t queued, uintptr_t at) :
	    (pktinfo_t *(skb, at), csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    udpinfo_t *(udp, ip, len), readinfo_t *(bytes, skb, queued));

	/*
	 * A call that sends a datagram returns, whether it succeeded or not. args[0], args[2] and
	 * args[4] have no packet; addresses and ports are the socket's. pid is the process.
	 * Other systems do not have this probe, and it fires in live runs only.
	 */
	probe write(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len, int result) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    udpinfo_t *(udp, ip, len), writeinfo_t *result);

	/*
	 * The kernel drops a datagram without having used it. args[1] is the socket if receive has
	 * just fired for the datagram, and the socket refuses it: its filter rejects it, its buffer
	 * is full, or UDP's memory is used up. For other drops args[1] is NULL. So receive minus
	 * drop with a socket is the number of datagrams that sockets took. Other systems do not
	 * have this probe, and it fires in live runs only.
	 */
	probe drop(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct udphdr *udp, int out,
	    uint32_t len, int reason, void *location) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), udpsinfo_t *(sk, ip, udp, out),
	    udpinfo_t *(udp, ip, len), dropinfo_t *(reason, location, skb));
};

inline int __udp_socket = args[0]->sk != NULL && args[0]->sk->sk_protocol == IPPROTO_UDP &&
	args[0]->sk->sk_type == __SOCK_DGRAM;

udp:::send
	on replay:::udp_send
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_l4, 1, args[0]->len)
or
	on cgroup_skb:::egress
	/ __udp_socket && !__sealed /
	(args[0], args[0]->sk, __data_ip, (struct udphdr *)__noted_l4, 1, args[0]->len)

	on fbt::xfrm_output:entry
	/ __clear_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[1], args[1]->sk, __ip_of[args[1]], (struct udphdr *)__l4_of[args[1]], 1, args[1]->len)
or
	on cgroup_skb:::egress
	/ __udp_socket /
	(args[0], args[0]->sk, __data_ip, __sealed ? NULL : (struct udphdr *)__noted_l4, 1, args[0]->len)
or
	on fbt::ip_finish_output:entry
	/ __out_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __out_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)

	on fbt::xfrm_output:entry
	/ __clear_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[1], args[1]->sk, __ip_of[args[1]], (struct udphdr *)__l4_of[args[1]], 1, args[1]->len)
or
	on fbt::ip_finish_output:entry
	/ __out_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __out_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[2], args[2]->sk, __ip_of[args[2]], (struct udphdr *)__l4_of[args[2]], 1, args[2]->len)
;

/* Raw sockets get a copy of the packet at the same hook. The guards leave these copies out. */
udp:::receive
	on replay:::udp_receive
	(args[0], args[1], __data_ip, (struct udphdr *)__noted_l4, 0, args[0]->len)
or
	on cgroup_skb:::ingress
	/ args[0]->sk != NULL && args[0]->sk->sk_protocol == IPPROTO_UDP &&
	  args[0]->sk->sk_type == __SOCK_DGRAM /
	(args[0], args[0]->sk, __data_ip, (struct udphdr *)__noted_l4, 0, args[0]->len)
or
	on fbt::sk_filter_trim_cap:entry
	/ __in_own[IPPROTO_UDP, __SOCK_DGRAM] /
	(args[1], args[0], __ip_of[args[1]], (struct udphdr *)__l4_of[args[1]], 0, __len_of[args[1]])
;

inline int __dropped_udp = __dropped_l4[IPPROTO_UDP];
inline struct udphdr *__drop_udp = (struct udphdr *)__drop_l4[8];

/* Does a socket refuse the datagram, for which udp:::receive has just fired? */
inline int __refused = args[2] == SKB_DROP_REASON_SOCKET_FILTER || args[2] == SKB_DROP_REASON_SOCKET_RCVBUFF ||
	args[2] == SKB_DROP_REASON_PROTO_MEM || __either(args[2] == SKB_DROP_REASON_SECURITY_HOOK, 0);

/*
 * The socket that a datagram has reached, for kernels whose kfree_skb names none (before Linux
 * 6.11). The key is the address of the datagram's sk_buff.
 */
uintptr_t __reached[uintptr_t];

cgroup_skb:::ingress
/ __udp_socket /
{
	__reached[(uintptr_t)args[0]] = (uintptr_t)args[0]->sk;
}

or
fbt::sk_filter_trim_cap:entry
/ __in_own[IPPROTO_UDP, __SOCK_DGRAM] /
{
	__reached[(uintptr_t)args[1]] = (uintptr_t)args[0];
}

/* The last group is for kernels that give no reasons (before Linux 5.17). It sees full sockets only. */
udp:::drop
	on rawtp:::kfree_skb
	/ __dropped_udp && __is_drop /
	(args[0], __refused ? args[3] : NULL, __noted_ip, __drop_udp, __drop_out, __noted_len, args[2], args[1])
or
	on rawtp:::kfree_skb
	/ __dropped_udp && __is_early_drop /
	(args[0], __refused ? (struct sock *)__reached[(uintptr_t)args[0]] : NULL, __noted_ip, __drop_udp, __drop_out,
	 __noted_len, args[2], args[1])
or
	on rawtp:::udp_fail_queue_rcv_skb
	(NULL, args[1], NULL, NULL, 0, 0, 0, NULL)
;

/*
 * Without function tracing, a program sees only the end of the call, when the datagram is gone. But
 * a socket delivers datagrams in the order in which they arrived. So if n datagrams are left in the
 * queue, n datagrams arrived after the datagram that was read. The program remembers the arrival
 * times and the addresses of the last 1,024. A datagram that is dropped because the queue is full
 * does not count.
 */
/*
 * number of datagrams that arrived; the key is the socket's cookie (the kernel's number of the
 * socket)
 */
uint64_t __came[uint64_t];
/*
 * Time of arrival. The keys are the socket's cookie, and the number of the datagram modulo __CAME.
 */
uint64_t __came_at[uint64_t, uint64_t];
/* address of the datagram's sk_buff; the keys are those of __came_at */
uintptr_t __came_packet[uint64_t, uint64_t];
inline int __CAME = 1024;

cgroup_skb:::ingress
/ __udp_socket /
{
	this->__to = __cookie(args[0]->sk);
	this->__number = __came[this->__to] + 1;
	__came[this->__to] = this->__number;
	__came_at[this->__to, this->__number & (__CAME - 1)] = timestamp;
	__came_packet[this->__to, this->__number & (__CAME - 1)] = (uintptr_t)args[0];
}

rawtp:::kfree_skb
/ args[3] != NULL && __refused && __dropped_udp && __came[__cookie(args[3])] != 0 /
{
	this->__to = __cookie(args[3]);
	__came[this->__to] = __came[this->__to] - 1;
}

inline int __udp_of_ip[struct sock *s] = s->sk_protocol == IPPROTO_UDP && s->sk_type == __SOCK_DGRAM &&
	(s->__sk_common.skc_family == AF_INET || s->__sk_common.skc_family == AF_INET6);
inline uint64_t __left[struct sock *s] = (uint64_t)s->sk_receive_queue.qlen +
	((struct udp_sock *)s)->reader_queue.qlen;
inline uint64_t __since[uint64_t when] = when == 0 ? 0 : timestamp - when;

/*
 * A datagram passes the hook some microseconds before it is in the queue. So if the newest datagram
 * came less than a millisecond ago, it may not be in the queue yet, and the count is wrong by one.
 * In that case, the program assumes that a read gets the datagram after the last one that was read.
 */
/* number of the datagram that was read last, or 0 if unknown; the key is the socket's cookie */
uint64_t __read_number[uint64_t];
inline int __JUST = 1000000;
inline uint64_t __newest_read[uint64_t came, uint64_t left] = left < __CAME && left < came ? came - left : 0;
inline uint64_t __next_read[uint64_t cookie, uint64_t came, uint64_t newest, uint64_t last] = last != 0 &&
	last < newest && __since[__came_at[cookie, came & (__CAME - 1)]] < __JUST ? last + 1 : newest;
inline int __reads = __udp_of_ip[args[0]] && (int)args[1] >= 0 && !(args[2] & (__MSG_PEEK | __MSG_ERRQUEUE));

rawtp:::sock_recv_length
/ __reads /
{
	this->__to = __cookie(args[0]);
	this->__number = __came[this->__to];
	__read_number[this->__to] = __next_read[this->__to, this->__number, __newest_read[this->__number, __left[args[0]]],
		__read_number[this->__to]];
}

inline uint64_t __queued_for[uint64_t cookie, uint64_t number] = number == 0 ? 0 :
	__since[__came_at[cookie, number & (__CAME - 1)]];
inline uintptr_t __packet_read[uint64_t cookie, uint64_t number] = number == 0 ? 0 :
	__came_packet[cookie, number & (__CAME - 1)];

udp:::read
	on fbt::skb_consume_udp:entry
	/ args[2] >= 0 && __udp_of_ip[args[0]] /
	(args[1], args[0], __ip_of[args[1]], (struct udphdr *)__l4_of[args[1]], 0, __len_of[args[1]],
	 args[2], 0, 0)
or
	on rawtp:::sock_recv_length
	/ __reads /
	(NULL, args[0], NULL, NULL, 0, 0, args[1],
	 __queued_for[__cookie(args[0]), __read_number[__cookie(args[0])]],
	 __packet_read[__cookie(args[0]), __read_number[__cookie(args[0])]])
;

udp:::write
	on rawtp:::sock_send_length
	/ __udp_of_ip[args[0]] /
	(NULL, args[0], NULL, NULL, 1, 0, args[1])
or
	on fbt::udp_sendmsg:return
	/ __udp_of_ip[args[2]] && args[2]->__sk_common.skc_family == AF_INET /
	(NULL, args[2], NULL, NULL, 1, 0, (int)args[1])

	on fbt::udpv6_sendmsg:return
	/ __udp_of_ip[args[2]] /
	(NULL, args[2], NULL, NULL, 1, 0, (int)args[1])
;
