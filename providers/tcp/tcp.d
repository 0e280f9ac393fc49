/*
 * tcp.d - segments between TCP and IP, and events of connections.
 *
 * The owner of a socket is args[1]: cs_pid, cs_execname. The variables pid and execname are the
 * owner's only at connect-request, accept, read and write. At all other probes they are those of the
 * thread that a packet or a timer interrupted.
 *
 * One segment may fire several probes. A special probe (connect-request, retransmit) fires before
 * send. The probe receive fires before the events that the segment causes.
 */
#pragma D attributes Evolving/Evolving/ISA provider tcp provider
#pragma D attributes Private/Private/Unknown provider tcp module
#pragma D attributes Private/Private/Unknown provider tcp function
#pragma D attributes Evolving/Evolving/ISA provider tcp name
#pragma D attributes Evolving/Evolving/ISA provider tcp args

/*
 * The native arguments (arguments before translation) are the packet, its socket, its headers (NULL
 * if there are none), and these:
 *
 * out     1 if the segment is sent, 0 if it is received
 * answer  1 if the probe shows a reset, and the headers are those of the received segment that the
 *         reset answers; else 0
 * state   the state to show, if the kernel has not set the socket's state yet or set it too early;
 *         0 for the socket's own state
 */
provider tcp {
	/*
	 * send: TCP gives a segment to IP: data, acknowledgement, SYN, FIN, reset, or a
	 * retransmitted segment. The probe fires once for all segments into which a device or IP
	 * will cut it.
	 *
	 * receive: TCP gets a segment that is for this host, before TCP handles it. The probe also
	 * fires for a port where no socket listens.
	 *
	 * connect-request: This host begins a connection: the first SYN is sent.
	 *
	 * connect-established: A connection that this host began is established: the SYN+ACK has
	 * arrived.
	 *
	 * connect-refused: A connection that this host began is refused: a reset has arrived
	 * instead of a SYN+ACK.
	 *
	 * accept-established: A connection from another host is established: the last segment of
	 * its handshake has arrived. A process may call accept(2) later.
	 *
	 * accept-refused: Another host's SYN came to a port where no socket listens, and a reset
	 * answers it. Headers and addresses are those of the reset, so the other host is its
	 * destination.
	 *
	 * listen-overflow: The queue of a listener is full. A SYN, or the last segment of a
	 * handshake, is dropped, and the other host must send it again. The socket and the
	 * connection are those of the listener; ports and addresses are the segment's. Other
	 * systems do not have this probe, and it fires in live runs only.
	 */
	probe receive, connect__established, connect__refused, accept__established,
	    accept__refused, listen__overflow, connect__request, send(struct sk_buff *skb, struct sock *sk, struct iphdr *ip,
	    struct tcphdr *tcp, int out, int answer, int state, uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len, answer, sk, out),
	    tcpsinfo_t *(sk, ip, tcp, out, state, len), tcpinfo_t *(tcp, ip, len, sk, out, skb, answer));

	/*
	 * A process takes a connection that waits at its listener: accept(2) returns. The owner of
	 * the socket, and pid, are the process that took it. Other systems do not have this probe,
	 * and it fires in live runs only.
	 */
	probe accept(struct sock *sk) :
	    (void *,			/* NULL */
	    csinfo_t *sk,
	    void *,			/* NULL */
	    tcpsinfo_t *sk);

	/* A connection goes from one state to another. */
	probe state__change(struct sock *sk, int new, int old, struct iphdr *ip, struct tcphdr *tcp,
	    uint32_t len) :
	    (void *,			/* NULL */
	    csinfo_t *sk,
	    void *,			/* NULL */
	    tcpsinfo_t *(sk, ip, tcp, old, new, len), /* The TCP connection, in its new state. */
	    void *,			/* NULL */
	    tcplsinfo_t *old);

	/*
	 * The kernel is about to enlarge a connection's receive buffer. FreeBSD has the same probe.
	 * It fires in live runs only.
	 */
	probe receive__autoresize(struct sock *sk, struct iphdr *ip, struct tcphdr *tcp, int none, int size) :
	    (void *,			/* NULL */
	    csinfo_t *sk, ipinfo_t *(ip, none, none, sk), tcpsinfo_t *sk,
	    tcpinfo_t *(tcp, ip, none, sk),
	    int size);			/* bytes of the buffer so far */

	/* TCP retransmits a segment, or a part of it. Other systems do not have this probe. */
	probe retransmit(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct tcphdr *tcp, int out,
	    int answer, int state, uint32_t len) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len, answer, sk, out),
	    tcpsinfo_t *(sk, ip, tcp, out, state, len), tcpinfo_t *(tcp, ip, len, sk, out, skb, answer));

	/*
	 * The kernel drops a segment without having used it. Other systems do not have this probe,
	 * and it fires in live runs only.
	 */
	probe drop(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct tcphdr *tcp, int out,
	    uint32_t len, int reason, void *location) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len), tcpsinfo_t *(sk, ip, tcp, out),
	    tcpinfo_t *(tcp, ip, len, sk, out, skb), dropinfo_t *(reason, location, skb));

	/*
	 * A process takes data from a connection. The probe fires for each buffer of segments that
	 * the process copies from; TCP merges segments into one buffer, whose headers are the
	 * oldest segment's. Data that is only looked at (MSG_PEEK) does not fire the probe. Data
	 * that is thrown away (MSG_TRUNC) has no packet: args[0] is NULL, and args[2] and args[4]
	 * have only the socket's addresses and ports. pid is the process. Other systems do not have
	 * this probe, and it fires in live runs only.
	 */
	probe read(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct tcphdr *tcp, int out,
	    int answer, int state, uint32_t len, int bytes, uint64_t queued) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len, answer, sk, out),
	    tcpsinfo_t *(sk, ip, tcp, out, state, len), tcpinfo_t *(tcp, ip, len, sk, out, skb, answer),
	    readinfo_t *(bytes, skb, queued));

	/*
	 * A call that sends data on a connection returns, whether it succeeded or not. There is no
	 * packet yet, so args[0] is NULL, and args[2] and args[4] have only the socket's addresses
	 * and ports. pid is the process. Other systems do not have this probe, and it fires in live
	 * runs only.
	 */
	probe write(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct tcphdr *tcp, int out,
	    int answer, int state, uint32_t len, int result) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len, answer, sk, out),
	    tcpsinfo_t *(sk, ip, tcp, out, state, len), tcpinfo_t *(tcp, ip, len, sk, out, skb, answer),
	    writeinfo_t *result);

	/*
	 * This host is about to send a reset. The probe has headers if the reset answers a segment,
	 * and always in replay. Other systems do not have this probe.
	 */
	probe reset__sent(struct sk_buff *skb, struct sock *sk, struct iphdr *ip, struct tcphdr *tcp, int out,
	    int answer, int state, uint32_t len, int reason) :
	    (pktinfo_t *skb, csinfo_t *sk, ipinfo_t *(ip, len, answer, sk, out),
	    tcpsinfo_t *(sk, ip, tcp, out, state, len), tcpinfo_t *(tcp, ip, len, sk, out, skb, answer),
	    resetinfo_t *reason);

	/*
	 * reset-received: A reset that ends a connection has arrived. Other systems do not have
	 * this probe.
	 *
	 * destroy: The kernel frees a full socket (struct sock). A connection that goes to
	 * TIME_WAIT has no full socket from then on. Other systems do not have this probe.
	 *
	 * existing: Tracing starts. The probe fires once for each socket that is not closed. Other
	 * systems do not have this probe, and it fires in live runs only.
	 */
	probe reset__received, destroy, existing(struct sock *sk) :
	    (void *,			/* NULL */
	    csinfo_t *sk,
	    void *,			/* NULL */
	    tcpsinfo_t *sk);
};

inline struct tcphdr *__noted_tcp = (struct tcphdr *)__noted_l4;

/*
 * Is the packet's socket a TCP socket? Raw sockets, and the kernel's own socket for resets, have
 * another type.
 */
inline int __tcp_socket = args[0]->sk != NULL && args[0]->sk->sk_protocol == IPPROTO_TCP &&
	args[0]->sk->sk_type == __SOCK_STREAM;

/* Is the packet one that IPsec made of a TCP socket's segment? */
inline int __is_no_segment[int protocol] = protocol != IPPROTO_TCP && __seals[protocol];
inline int __sealed_segment = __is_no_segment[__ip_protocol[__data_ip]];
inline struct iphdr *__open_ip = __sealed_segment ? NULL : __data_ip;
inline struct tcphdr *__open_tcp = __open_ip == NULL ? NULL : __noted_tcp;

/*
 * For kernels without the cgroup_skb hook: the TCP header of a packet that this host sends
 * (args[2]), or that a socket gets (args[1]).
 */
inline struct tcphdr *__out_tcp = (struct tcphdr *)__l4_of[args[2]];
inline struct tcphdr *__in_tcp = (struct tcphdr *)__l4_of[args[1]];
inline int __out_segment = __out_own[IPPROTO_TCP, __SOCK_STREAM];
inline int __in_segment = __in_own[IPPROTO_TCP, __SOCK_STREAM];
inline int __syn_sent[struct sock *s] = s->__sk_common.skc_state == TCP_STATE_SYN_SENT &&
	__icsk[s]->icsk_retransmits == 0;
inline int __first_syn = __out_segment && __syn_sent[args[1]] && __out_tcp->syn && !__out_tcp->ack;

/* At xfrm_output(): the segment before IPsec encrypts it. */
inline struct tcphdr *__clear_tcp = (struct tcphdr *)__l4_of[args[1]];
inline int __clear_segment = __clear_own[IPPROTO_TCP, __SOCK_STREAM];
inline int __clear_answer = args[1]->dev == NULL && args[1]->skb_iif == 0 &&
	__ip_protocol[__ip_of[args[1]]] == IPPROTO_TCP && (__clear_sk == NULL || __clear_sk->sk_kern_sock);

/*
 * At net_dev_queue: a segment that the cgroup's egress hook does not see. A segment carries no
 * other packet, so the argument of __unseen is 0.
 */
inline int __unseen_segment = __unseen[0] && args[0]->skb_iif == 0 && __noted_protocol == IPPROTO_TCP;

/*
 * The TCP header of a segment without a socket. It is found through the IP header, because a reset
 * that netfilter makes has no recorded offset of its TCP header.
 */
inline struct tcphdr *__tcp_behind[struct iphdr *h] = (struct tcphdr *)((unsigned char *)h + __ip_hlen[h]);
inline struct tcphdr *__unseen_tcp = __tcp_behind[__noted_ip];
inline struct tcphdr *__out_any_tcp = __out_segment ? __out_tcp : __tcp_behind[__ip_of[args[2]]];

/*
 * A derivation (PROBE on HOOK ...) tells which hooks fire a probe. The derivations are in the order
 * in which the probes of one hook fire. A segment is received before the events that it causes. For
 * a segment that is sent, special probes come before send.
 */

/* ---------------------------------------------------------------------- receiving */

/* At tcp_send_reset: the headers of the received segment that the reset answers. */
inline struct iphdr *__reset_ip = (struct iphdr *)(args[1]->head + args[1]->network_header);
inline struct tcphdr *__reset_tcp = (struct tcphdr *)(args[1]->head + args[1]->transport_header);
inline uint32_t __reset_len = args[1]->len + (uint32_t)(args[1]->data - args[1]->head) -
	args[1]->network_header;

inline int __dropped_tcp = __dropped_l4[IPPROTO_TCP];
inline struct tcphdr *__drop_tcp = (struct tcphdr *)__drop_l4[20];

/*
 * A segment without a socket is seen when a reset answers it, or when it is dropped without an
 * answer because it is a reset. A segment for a TIME_WAIT socket is seen after the socket has
 * looked at it.
 */
tcp:::receive
	on replay:::tcp_receive
	(args[0], args[1], __data_ip, __noted_tcp, 0, 0, 0, args[0]->len)
or
	on cgroup_skb:::ingress
	/ __tcp_socket /
	(args[0], args[0]->sk, __data_ip, __noted_tcp, 0, 0, 0, args[0]->len)

	on rawtp:::tcp_send_reset
	/ args[1] != NULL && args[0] == NULL /
	(args[1], NULL, __reset_ip, __reset_tcp, 0, 0, 0, __reset_len)

	on rawtp:::kfree_skb
	/ __dropped_tcp && ((args[3] != NULL && args[3]->__sk_common.skc_state == TCP_STATE_TIME_WAIT) ||
	   (args[2] == __DROP_NO_SOCKET && args[3] == NULL && __drop_tcp != NULL && __drop_tcp->rst)) /
	(args[0], args[3], __noted_ip, __drop_tcp, 0, 0, 0, __noted_len)
or
	on fbt::sk_filter_trim_cap:entry
	/ __in_segment /
	(args[1], args[0], __ip_of[args[1]], __in_tcp, 0, 0, 0, __len_of[args[1]])

	on fbt::tcp_v4_send_reset:entry
	/ args[0] == NULL /
	(args[1], NULL, __reset_ip, __reset_tcp, 0, 0, 0, __reset_len)

	on fbt::tcp_v6_send_reset:entry
	/ args[0] == NULL /
	(args[1], NULL, __reset_ip, __reset_tcp, 0, 0, 0, __reset_len)

	on fbt::tcp_timewait_state_process:return
	/ args[1] != TCP_TW_SYN /
	(args[3], (struct sock *)args[2], __ip_of[args[3]], (struct tcphdr *)__l4_of[args[3]], 0, 0, 0,
	 __len_of[args[3]])
;

/* -------------------------------------------------- opening, from both sides */

inline struct sk_buff *__ops_skb = args[0]->skb;
inline struct iphdr *__ops_ip = __ops_skb == NULL ? NULL :
	(struct iphdr *)(__ops_skb->head + __ops_skb->network_header);
inline struct tcphdr *__ops_tcp = __ops_skb == NULL ? NULL :
	(struct tcphdr *)(__ops_skb->head + __ops_skb->transport_header);
inline uint32_t __ops_len = __ops_skb == NULL ? 0 : __ops_skb->len +
	(uint32_t)__ops_skb->transport_header - (uint32_t)__ops_skb->network_header;
/* Operations from include/uapi/linux/bpf.h. */
inline int __OP_ACTIVE_ESTABLISHED = 4;
inline int __OP_PASSIVE_ESTABLISHED = 5;

/*
 * At tcp_init_transfer(sk, op, skb): the headers of the segment. This function calls the sockops
 * hook with the operations above.
 */
inline struct iphdr *__init_ip = args[2] == NULL ? NULL : __ip_of[args[2]];
inline struct tcphdr *__init_tcp = args[2] == NULL ? NULL : __out_tcp;
inline uint32_t __init_len = args[2] == NULL ? 0 : __len_of[args[2]];

/*
 * A simultaneous open ends with the operation of a passive open, but its socket belongs to a
 * process. The child of a listener belongs to no process before accept(2).
 */
tcp:::connect-established
	on replay:::connect_established
	(args[0], args[1], __data_ip, __noted_tcp, 0, 0, 0, args[0]->len)
or
	on sockops:::op
	/ args[0]->op == __OP_ACTIVE_ESTABLISHED ||
	  (args[0]->op == __OP_PASSIVE_ESTABLISHED && args[0]->sk->sk_socket != NULL) /
	(__ops_skb, args[0]->sk, __ops_ip, __ops_tcp, 0, 0, TCP_STATE_ESTABLISHED, __ops_len)
or
	on fbt::tcp_init_transfer:entry
	/ args[1] == __OP_ACTIVE_ESTABLISHED ||
	  (args[1] == __OP_PASSIVE_ESTABLISHED && args[0]->sk_socket != NULL) /
	(args[2], args[0], __init_ip, __init_tcp, 0, 0, TCP_STATE_ESTABLISHED, __init_len)
;

/* A reset is acceptable in SYN_SENT if it acknowledges our SYN (RFC 9293 3.10.7.3). */
tcp:::connect-refused
	on replay:::connect_refused
	(args[0], args[1], __data_ip, __noted_tcp, 0, 0, 0, args[0]->len)
or
	on cgroup_skb:::ingress
	/ __tcp_socket && args[0]->sk->__sk_common.skc_state == TCP_STATE_SYN_SENT &&
	  __noted_tcp->rst && __noted_tcp->ack &&
	  (uint32_t)(ntohl(__noted_tcp->ack_seq) - __tp[args[0]->sk]->snd_una - 1) <
	  (uint32_t)(__tp[args[0]->sk]->write_seq - __tp[args[0]->sk]->snd_una) /
	(args[0], args[0]->sk, __data_ip, __noted_tcp, 0, 0, 0, args[0]->len)
or
	on fbt::sk_filter_trim_cap:entry
	/ __in_segment && args[0]->__sk_common.skc_state == TCP_STATE_SYN_SENT &&
	  __in_tcp->rst && __in_tcp->ack &&
	  (uint32_t)(ntohl(__in_tcp->ack_seq) - __tp[args[0]]->snd_una - 1) <
	  (uint32_t)(__tp[args[0]]->write_seq - __tp[args[0]]->snd_una) /
	(args[1], args[0], __ip_of[args[1]], __in_tcp, 0, 0, 0, __len_of[args[1]])
;

/*
 * With Fast Open, a SYN makes the child, and the sockops hook is called immediately. The handshake
 * ends later, when our SYN is acknowledged. Only hooks that run for every segment see that
 * acknowledgement, and such hooks would be expensive for a rare event. So the clause asks the
 * kernel to call the hook when this one socket changes its state (BPF_SOCK_OPS_STATE_CB). At that
 * call, args[2] and args[4] of the probe have the socket's addresses and ports.
 */
/*
 * The key is the socket's address. 1 stands for the child that a SYN made, in SYN_RECV. 2 stands
 * for such a child if other programs had set the flag already.
 */
int __fastopen[uintptr_t];

inline int __OP_STATE = 10;
inline int __STATE_FLAG = 4;
inline int __ops_wants = __tp[args[0]->sk]->bpf_sock_ops_cb_flags;

sockops:::op
/ args[0]->op == __OP_PASSIVE_ESTABLISHED && args[0]->sk->sk_socket == NULL && __ops_tcp != NULL &&
  __ops_tcp->syn /
{
	__fastopen[(uintptr_t)args[0]->sk] =
	    __ops_wants & __STATE_FLAG ? 2 : __ask_for(__ops_wants | __STATE_FLAG) == 0;
}
or
fbt::tcp_init_transfer:entry
/ args[1] == __OP_PASSIVE_ESTABLISHED && args[0]->sk_socket == NULL && args[2] != NULL &&
  __out_tcp->syn /
{
	__fastopen[(uintptr_t)args[0]] = 1;
}

tcp:::accept-established
	on replay:::accept_established
	(args[0], args[1], __data_ip, __noted_tcp, 0, 0, 0, args[0]->len)
or
	on sockops:::op
	/ args[0]->op == __OP_PASSIVE_ESTABLISHED ? args[0]->sk->sk_socket == NULL &&
	  !(__ops_tcp != NULL && __ops_tcp->syn) :
	  args[0]->op == __OP_STATE && args[0]->args[0] == TCP_STATE_SYN_RECEIVED &&
	  args[0]->args[1] == TCP_STATE_ESTABLISHED && __fastopen[(uintptr_t)args[0]->sk] /
	(__ops_skb, args[0]->sk, __ops_ip, __ops_tcp, 0, 0, TCP_STATE_ESTABLISHED, __ops_len)
or
	on fbt::tcp_init_transfer:entry
	/ args[1] == __OP_PASSIVE_ESTABLISHED && args[0]->sk_socket == NULL &&
	  !(args[2] != NULL && __out_tcp->syn) /
	(args[2], args[0], __init_ip, __init_tcp, 0, 0, TCP_STATE_ESTABLISHED, __init_len)

	on rawtp:::inet_sock_set_state
	/ args[0]->sk_protocol == IPPROTO_TCP && args[1] == TCP_STATE_SYN_RECEIVED &&
	  args[2] == TCP_STATE_ESTABLISHED && __fastopen[(uintptr_t)args[0]] /
	(NULL, args[0], NULL, NULL, 0, 0, TCP_STATE_ESTABLISHED, 0)
;

/*
 * When the child of a Fast Open changes its state, removes the flag that the clause above has
 * added.
 */
sockops:::op
/ args[0]->op == __OP_STATE && __fastopen[(uintptr_t)args[0]->sk] == 1 /
{
	__fastopen[(uintptr_t)args[0]->sk] = __ask_for(__ops_wants & ~__STATE_FLAG);
}

/*
 * The clauses of translators/socket.d at the hooks of tcp:::accept come first, and record the new
 * owner. io_uring accepts connections without a system call, so only function tracing sees them.
 *
 * __taken_file is the file that the call returns. Another thread may have closed the descriptor
 * already, so a file that is not a socket is ignored.
 */
inline struct file *__taken_file = curthread->files->fdt->fd[args[1]];
inline struct socket *__taken_socket = (struct socket *)__taken_file->private_data;
inline int __is_socket = __taken_file != NULL && (__taken_file->f_inode->i_mode & __S_IFMT) == __S_IFSOCK &&
	__taken_socket != NULL && __taken_socket->file == __taken_file && __taken_socket->sk != NULL;
inline int __is_tcp[struct sock *s] = s != NULL && s->sk_protocol == IPPROTO_TCP &&
	(s->__sk_common.skc_family == AF_INET || s->__sk_common.skc_family == AF_INET6);

/*
 * Has accept(2) or accept4(2) succeeded? The numbers of the calls are those of x86-64 and of arm64.
 * On x86-64, 32-bit programs use other numbers.
 */
inline int __accepts_x86 = (args[0]->orig_ax == 43 || args[0]->orig_ax == 288) && args[1] >= 0 &&
	!(curthread->thread_info.status & 2);
inline int __accepts_arm = (args[0]->syscallno == 202 || args[0]->syscallno == 242) && args[1] >= 0;

/* Kernels without MPTCP skip the groups that ask for the first subflow. */
tcp:::accept
	on fbt::security_sock_graft:entry
	/ __is_tcp[__first_flow[args[0]]] /
	(__first_flow[args[0]])
or
	on fbt::security_sock_graft:entry
	/ __is_tcp[args[0]] /
	(args[0])
or
	on fbt::inet_accept:return
	/ args[1] == 0 && args[3]->sk != NULL && args[3]->sk->sk_protocol == IPPROTO_TCP /
	(args[3]->sk)
or
	on rawtp:::sys_exit
	/ __accepts_x86 && __is_socket && __is_tcp[__first_flow[__taken_socket->sk]] /
	(__first_flow[__taken_socket->sk])
or
	on rawtp:::sys_exit
	/ __accepts_x86 && __is_socket && __is_tcp[__taken_socket->sk] /
	(__taken_socket->sk)
or
	on rawtp:::sys_exit
	/ __accepts_arm && __is_socket && __is_tcp[__first_flow[__taken_socket->sk]] /
	(__first_flow[__taken_socket->sk])
or
	on rawtp:::sys_exit
	/ __accepts_arm && __is_socket && __is_tcp[__taken_socket->sk] /
	(__taken_socket->sk)
;

/*
 * args[2] and args[4] are the headers of the reset that is about to be sent, in answer to a SYN to
 * a port where no socket listens. Kernels without reasons for resets report only resets of sockets
 * at the tracepoint, so the last group uses functions.
 */
tcp:::accept-refused
	on replay:::accept_refused
	(args[0], NULL, __data_ip, __noted_tcp, 1, 0, 0, args[0]->len)
or
	on rawtp:::tcp_send_reset
	/ args[1] != NULL && args[0] == NULL && args[2] == SK_RST_REASON_NO_SOCKET && __reset_tcp->syn &&
	  !__reset_tcp->ack /
	(args[1], NULL, __reset_ip, __reset_tcp, 0, 1, 0, __reset_len)
or
	on fbt::tcp_v4_send_reset:entry
	/ __refused_syn /
	(args[1], NULL, __reset_ip, __reset_tcp, 0, 1, 0, __reset_len)

	on fbt::tcp_v6_send_reset:entry
	/ __refused_syn /
	(args[1], NULL, __reset_ip, __reset_tcp, 0, 1, 0, __reset_len)
;

inline int __refused_syn = args[0] == NULL && __reset_tcp->syn && !__reset_tcp->ack && !__reset_tcp->rst;

/*
 * Is the listener's queue full, as sk_acceptq_is_full() computes it? For a SYN, the probe tests
 * this before the kernel does. For the last segment of a handshake, the probe tests it when the
 * kernel frees the segment. The kernel's reason is then TCP_LISTEN_OVERFLOW or, with SYN cookies,
 * NO_SOCKET. Older kernels give no reason.
 */
inline int __queue_full[struct sock *s] = s->__sk_common.skc_state == TCP_STATE_LISTEN &&
	s->sk_ack_backlog > s->sk_max_ack_backlog;
inline int __is_opening[struct tcphdr *t] = t->syn && !t->ack && !t->rst && !t->fin;
inline int __overflown = args[3] != NULL && __dropped_tcp && __queue_full[args[3]] &&
	__drop_tcp != NULL && __drop_tcp->ack && !__drop_tcp->syn && !__drop_tcp->rst;

/*
 * On some kernels (Debian's 6.1), tcp_v4_syn_recv_sock() cannot be traced. So the last group uses
 * its callers: tcp_get_cookie_sock(), which returns NULL in the same cases, and tcp_check_req().
 * tcp_check_req() also returns NULL for a segment outside of the request's window, and for an ACK
 * that TCP_DEFER_ACCEPT ignores because it has no data (net/ipv4/tcp_minisocks.c).
 */
inline struct tcphdr *__checked = (struct tcphdr *)__l4_of[args[3]];
inline uint32_t __past_isn = ntohl(__checked->seq) - ((struct tcp_request_sock *)args[4])->rcv_nxt;
inline int __is_deferred = __past_isn == 0 && args[3]->len == __checked->doff * 4 &&
	args[4]->num_timeout < __icsk[args[2]]->icsk_accept_queue.rskq_defer_accept;
inline int __check_overflown = args[1] == NULL && __queue_full[args[2]] &&
	__checked->ack && !__checked->syn && !__checked->rst &&
	__past_isn <= args[4]->__req_common.skc_rcv_wnd && !__is_deferred;

tcp:::listen-overflow
	on cgroup_skb:::ingress
	/ __tcp_socket && __queue_full[args[0]->sk] && __is_opening[__noted_tcp] /
	(args[0], args[0]->sk, __data_ip, __noted_tcp, 0, 0, 0, args[0]->len)

	on rawtp:::kfree_skb
	/ (args[2] == SKB_DROP_REASON_TCP_LISTEN_OVERFLOW || args[2] == __DROP_NO_SOCKET) && __overflown /
	(args[0], args[3], __noted_ip, __drop_tcp, 0, 0, 0, __noted_len)
or
	on cgroup_skb:::ingress
	/ __tcp_socket && __queue_full[args[0]->sk] && __is_opening[__noted_tcp] /
	(args[0], args[0]->sk, __data_ip, __noted_tcp, 0, 0, 0, args[0]->len)

	on rawtp:::kfree_skb
	/ (args[2] == __DROP_NOT_SPECIFIED || args[2] == __DROP_NO_SOCKET) && __overflown /
	(args[0], args[3], __noted_ip, __drop_tcp, 0, 0, 0, __noted_len)
or
	on fbt::tcp_conn_request:entry
	/ __queue_full[args[2]] /
	(args[3], args[2], __ip_of[args[3]], (struct tcphdr *)__l4_of[args[3]], 0, 0, 0, __len_of[args[3]])

	on fbt::tcp_v4_syn_recv_sock:return
	/ args[1] == NULL && __queue_full[args[2]] /
	(args[3], args[2], __ip_of[args[3]], (struct tcphdr *)__l4_of[args[3]], 0, 0, 0, __len_of[args[3]])

	on fbt::tcp_v6_syn_recv_sock:return
	/ args[1] == NULL && __queue_full[args[2]] /
	(args[3], args[2], __ip_of[args[3]], (struct tcphdr *)__l4_of[args[3]], 0, 0, 0, __len_of[args[3]])
or
	on fbt::tcp_conn_request:entry
	/ __queue_full[args[2]] /
	(args[3], args[2], __ip_of[args[3]], (struct tcphdr *)__l4_of[args[3]], 0, 0, 0, __len_of[args[3]])

	on fbt::tcp_check_req:return
	/ __check_overflown /
	(args[3], args[2], __ip_of[args[3]], __checked, 0, 0, 0, __len_of[args[3]])

	on fbt::tcp_get_cookie_sock:return
	/ args[1] == NULL && __queue_full[args[2]] /
	(args[3], args[2], __ip_of[args[3]], (struct tcphdr *)__l4_of[args[3]], 0, 0, 0, __len_of[args[3]])
;

/* Fires for the first SYN of a connection, not for a retransmitted one. */
tcp:::connect-request
	on replay:::connect_request
	(args[0], args[1], __data_ip, __noted_tcp, 1, 0, 0, args[0]->len)
or
	on cgroup_skb:::egress
	/ __tcp_socket && __syn_sent[args[0]->sk] && !__sealed_segment && __noted_tcp->syn && !__noted_tcp->ack /
	(args[0], args[0]->sk, __data_ip, __noted_tcp, 1, 0, 0, args[0]->len)

	on fbt::xfrm_output:entry
	/ __clear_segment && __syn_sent[__clear_sk] && __clear_tcp->syn && !__clear_tcp->ack /
	(args[1], __clear_sk, __ip_of[args[1]], __clear_tcp, 1, 0, 0, args[1]->len)
or
	on cgroup_skb:::egress
	/ __tcp_socket && __syn_sent[args[0]->sk] && (__sealed_segment || (__noted_tcp->syn && !__noted_tcp->ack)) /
	(args[0], args[0]->sk, __open_ip, __open_tcp, 1, 0, 0, args[0]->len)
or
	on fbt::ip_finish_output:entry
	/ __first_syn /
	(args[2], __out_sk, __ip_of[args[2]], __out_tcp, 1, 0, 0, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __first_syn /
	(args[2], __out_sk, __ip_of[args[2]], __out_tcp, 1, 0, 0, args[2]->len)

	on fbt::xfrm_output:entry
	/ __clear_segment && __syn_sent[__clear_sk] && __clear_tcp->syn && !__clear_tcp->ack /
	(args[1], __clear_sk, __ip_of[args[1]], __clear_tcp, 1, 0, 0, args[1]->len)
or
	on fbt::ip_finish_output:entry
	/ __first_syn /
	(args[2], __out_sk, __ip_of[args[2]], __out_tcp, 1, 0, 0, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __first_syn /
	(args[2], __out_sk, __ip_of[args[2]], __out_tcp, 1, 0, 0, args[2]->len)
;

/* ------------------------------------------------------------------------ sending */

/*
 * Fires for retransmitted segments. In live runs, a retransmitted SYN+ACK comes without a packet:
 * the addresses are those of its request socket.
 */
tcp:::retransmit
	on replay:::tcp_send
	/ args[1] != NULL && __resent[args[1], __data_ip, __noted_tcp, args[0]->len] /
	(args[0], args[1], __data_ip, __noted_tcp, 1, 0, 0, args[0]->len)
or
	on cgroup_skb:::egress
	/ __tcp_socket && !__sealed_segment && __resent[args[0]->sk, __data_ip, __noted_tcp, args[0]->len] /
	(args[0], args[0]->sk, __data_ip, __noted_tcp, 1, 0, 0, args[0]->len)

	on fbt::xfrm_output:entry
	/ __clear_segment && __resent[__clear_sk, __ip_of[args[1]], __clear_tcp, args[1]->len] /
	(args[1], __clear_sk, __ip_of[args[1]], __clear_tcp, 1, 0, 0, args[1]->len)

	on rawtp:::tcp_retransmit_synack
	(NULL, (struct sock *)args[1], NULL, NULL, 1, 0, 0, 0)
or
	on cgroup_skb:::egress
	/ __tcp_socket && !__sealed_segment && __resent[args[0]->sk, __data_ip, __noted_tcp, args[0]->len] /
	(args[0], args[0]->sk, __data_ip, __noted_tcp, 1, 0, 0, args[0]->len)

	on rawtp:::tcp_retransmit_synack
	(NULL, (struct sock *)args[1], NULL, NULL, 1, 0, 0, 0)
or
	on fbt::ip_finish_output:entry
	/ __out_segment && __resent[args[1], __ip_of[args[2]], __out_tcp, args[2]->len] /
	(args[2], args[1], __ip_of[args[2]], __out_tcp, 1, 0, 0, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __out_segment && __resent[args[1], __ip_of[args[2]], __out_tcp, args[2]->len] /
	(args[2], args[1], __ip_of[args[2]], __out_tcp, 1, 0, 0, args[2]->len)

	on fbt::xfrm_output:entry
	/ __clear_segment && __resent[__clear_sk, __ip_of[args[1]], __clear_tcp, args[1]->len] /
	(args[1], __clear_sk, __ip_of[args[1]], __clear_tcp, 1, 0, 0, args[1]->len)

	on rawtp:::tcp_retransmit_synack
	(NULL, (struct sock *)args[1], NULL, NULL, 1, 0, 0, 0)
or
	on fbt::ip_finish_output:entry
	/ __out_segment && __resent[args[1], __ip_of[args[2]], __out_tcp, args[2]->len] /
	(args[2], args[1], __ip_of[args[2]], __out_tcp, 1, 0, 0, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __out_segment && __resent[args[1], __ip_of[args[2]], __out_tcp, args[2]->len] /
	(args[2], args[1], __ip_of[args[2]], __out_tcp, 1, 0, 0, args[2]->len)

	on rawtp:::tcp_retransmit_synack
	(NULL, (struct sock *)args[1], NULL, NULL, 1, 0, 0, 0)
;

/*
 * Over IPv4 a socket of the kernel sends resets, and acknowledgements for connections without a
 * socket. The hook net_dev_queue adds the same packets as for ip:::send. In the group with
 * cgroup_skb but without xfrm_output(), a segment that IPsec has encrypted has no headers, so
 * addresses and ports come from the socket.
 */
tcp:::send
	on replay:::tcp_send
	(args[0], args[1], __data_ip, __noted_tcp, 1, 0, 0, args[0]->len)
or
	on cgroup_skb:::egress
	/ __tcp_sends && !__sealed_segment /
	(args[0], args[0]->sk->sk_type == __SOCK_STREAM ? args[0]->sk : NULL, __data_ip, __noted_tcp,
	 1, 0, 0, args[0]->len)

	on rawtp:::net_dev_queue
	/ __unseen_segment /
	(args[0], args[0]->sk, __noted_ip, __unseen_tcp, 1, 0, 0, __noted_len)

	on fbt::xfrm_output:entry
	/ __clear_segment || __clear_answer /
	(args[1], __clear_segment ? __clear_sk : NULL, __ip_of[args[1]], __clear_tcp, 1, 0, 0, args[1]->len)
or
	on cgroup_skb:::egress
	/ __tcp_sends /
	(args[0], args[0]->sk->sk_type == __SOCK_STREAM ? args[0]->sk : NULL, __open_ip, __open_tcp,
	 1, 0, 0, args[0]->len)

	on rawtp:::net_dev_queue
	/ __unseen_segment /
	(args[0], args[0]->sk, __noted_ip, __unseen_tcp, 1, 0, 0, __noted_len)
or
	on fbt::ip_finish_output:entry
	/ __out_segment || __out_answer /
	(args[2], __out_segment ? __out_sk : NULL, __ip_of[args[2]], __out_any_tcp, 1, 0, 0, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __out_segment || __out_answer /
	(args[2], __out_segment ? __out_sk : NULL, __ip_of[args[2]], __out_any_tcp, 1, 0, 0, args[2]->len)

	on fbt::xfrm_output:entry
	/ __clear_segment || __clear_answer /
	(args[1], __clear_segment ? __clear_sk : NULL, __ip_of[args[1]], __clear_tcp, 1, 0, 0, args[1]->len)
or
	on fbt::ip_finish_output:entry
	/ __out_segment || __out_answer /
	(args[2], __out_segment ? __out_sk : NULL, __ip_of[args[2]], __out_any_tcp, 1, 0, 0, args[2]->len)

	on fbt::ip6_finish_output:entry
	/ __out_segment || __out_answer /
	(args[2], __out_segment ? __out_sk : NULL, __ip_of[args[2]], __out_any_tcp, 1, 0, 0, args[2]->len)
;

/* Does a TCP socket send the packet, or the kernel's own socket for resets and acknowledgements? */
inline int __tcp_sends = args[0]->sk != NULL && args[0]->sk->sk_protocol == IPPROTO_TCP &&
	(args[0]->sk->sk_type == __SOCK_STREAM || args[0]->sk->sk_kern_sock);

/* Is the packet a reset or an acknowledgement that no connection sends? */
inline int __out_answer = args[2]->skb_iif == 0 && __out_protocol == IPPROTO_TCP &&
	(__out_sk == NULL || (args[1] == __out_sk && args[1]->sk_kern_sock));

/* ------------------------------------------------------------------------- states */

/*
 * Fires once for every socket that is not closed when tracing starts. The kernel's iterator visits
 * the sockets of one network namespace after the other.
 *
 * If a socket changes its state before the iterator visits it, the probe fires at this change,
 * before state-change. A socket that is opened during the iteration is marked, so that it does not
 * fire the probe. A child that is just being made (SYN_RECEIVED) may not be marked yet, so such
 * sockets fire the probe at their next transition.
 */
/*
 * 1 if the probe has fired, or if the socket is newer than the trace. The key is the socket's
 * cookie (the kernel's number of the socket).
 */
int __existing[uint64_t];
/* 1 for sockets that fire the probe at their next transition. The key is the socket's cookie. */
int __unripe[uint64_t];

uintptr_t __newborn[int];       /* address of the child that was made last; the key is the CPU */

/*
 * Is the socket being made now? Before Linux 6.14, a child does not have its own cookie at the
 * first of its transitions. The second transition follows immediately on the same CPU, so it
 * counts as well.
 */
inline int __is_child = args[1] == TCP_STATE_LISTEN && args[2] == TCP_STATE_SYN_RECEIVED;
inline int __is_birth = args[1] == TCP_STATE_CLOSED || __is_child ||
	(args[1] == TCP_STATE_SYN_RECEIVED && args[2] == TCP_STATE_ESTABLISHED &&
	 __newborn[cpu] == (uintptr_t)args[0]);

rawtp:::inet_sock_set_state
/ __walking() && __is_child /
{
	__newborn[cpu] = (uintptr_t)args[0];
}

rawtp:::inet_sock_set_state
/ __walking() && args[0]->sk_protocol == IPPROTO_TCP && __is_birth /
{
	__existing[__cookie(args[0])] = 1;
}

iter:::tcp
/ args[1]->skc_state == TCP_STATE_SYN_RECEIVED /
{
	__unripe[__cookie(args[1])] = 1;
}

/*
 * Does a socket without a cookie go to TIME_WAIT? Its small TIME_WAIT socket has no cookie either,
 * so the iterator will visit and show the small socket.
 */
inline int __left_time_wait = (args[1] == TCP_STATE_FIN_WAIT_2 || args[1] == TCP_STATE_CLOSING) &&
	args[2] == TCP_STATE_CLOSED && args[0]->__sk_common.skc_cookie.counter == 0;

tcp:::existing
	on iter:::tcp
	/ args[1]->skc_state != __TCP_NEW_SYN_RECV && args[1]->skc_state != TCP_STATE_CLOSED &&
	  args[1]->skc_state != TCP_STATE_SYN_RECEIVED &&
	  __once(__existing[__cookie(args[1])]) /
	((struct sock *)args[1])

	on rawtp:::inet_sock_set_state
	/ (__walking() || (args[1] == TCP_STATE_SYN_RECEIVED && __unripe[__cookie(args[0])])) &&
	  args[0]->sk_protocol == IPPROTO_TCP && !__is_birth && !__left_time_wait &&
	  __once(__existing[__cookie(args[0])]) /
	(args[0])
;

/*
 * When a small TIME_WAIT socket takes over, the kernel sets the full socket to CLOSE. The new state
 * is then TIME_WAIT, unless there was an error. Replay reports TIME_WAIT itself.
 */
inline int __set_state = __live && args[2] == TCP_STATE_CLOSED && args[0]->sk_err == 0 &&
	(args[1] == TCP_STATE_FIN_WAIT_2 || args[1] == TCP_STATE_CLOSING) ? TCP_STATE_TIME_WAIT : args[2];

/*
 * Until Linux 6.13, a child takes its first state before it has its addresses. The second hook of
 * the first group fires when the child has them.
 */
tcp:::state-change
	on rawtp:::inet_sock_set_state
	/ args[0]->sk_protocol == IPPROTO_TCP && args[1] != args[2] && !__is_child /
	(args[0], __set_state, args[1], NULL, NULL, 0)

	on fbt::tcp_ca_openreq_child:entry
	(args[0], TCP_STATE_SYN_RECEIVED, TCP_STATE_LISTEN, NULL, NULL, 0)
or
	on rawtp:::inet_sock_set_state
	/ args[0]->sk_protocol == IPPROTO_TCP && args[1] != args[2] /
	(args[0], __set_state, args[1], NULL, NULL, 0)
;

/* ------------------------------------------------------- probes that other systems lack */

/* The kernel is about to enlarge the receive buffer. args[5] is the buffer's size so far. */
tcp:::receive-autoresize
	on rawtp:::tcp_rcvbuf_grow
	(args[0], NULL, NULL, 0, args[0]->sk_rcvbuf)
;

/*
 * The first hook fires where the data is copied, when the buffer still exists. If the data is not
 * copied (MSG_TRUNC), only the end of the call is seen.
 */
inline int __tcp_of_ip[struct sock *s] = s->sk_protocol == IPPROTO_TCP && s->sk_type == __SOCK_STREAM &&
	(s->__sk_common.skc_family == AF_INET || s->__sk_common.skc_family == AF_INET6);
inline int __copies_segment = args[0]->sk != NULL && __tcp_of_ip[args[0]->sk] && args[1] > 0 && !__peeks;
tcp:::read
	on rawtp:::skb_copy_datagram_iovec
	/ __copies_segment /
	(args[0], args[0]->sk, __noted_ip, __noted_tcp, 0, 0, 0, __noted_len, args[1], 0)

	on rawtp:::sock_recv_length
	/ __tcp_of_ip[args[0]] && (int)args[1] > 0 && (args[2] & (__MSG_TRUNC | __MSG_PEEK)) == __MSG_TRUNC /
	(NULL, args[0], NULL, NULL, 0, 0, 0, 0, args[1], 0)
or
	on rawtp:::skb_copy_datagram_iovec
	/ __copies_segment /
	(args[0], args[0]->sk, __noted_ip, __noted_tcp, 0, 0, 0, __noted_len, args[1], 0)
;

/*
 * The second group is for kernels before Linux 6.3, and uses the returns of functions. On these
 * kernels, sendfile(2) has a function of its own, tcp_sendpage().
 */
tcp:::write
	on rawtp:::sock_send_length
	/ __tcp_of_ip[args[0]] /
	(NULL, args[0], NULL, NULL, 1, 0, 0, 0, args[1])
or
	on fbt::tcp_sendmsg:return
	(NULL, args[2], NULL, NULL, 1, 0, 0, 0, (int)args[1])

	on fbt::tcp_sendpage:return
	(NULL, args[2], NULL, NULL, 1, 0, 0, 0, (int)args[1])
;

/*
 * Fires for a segment that is freed without having been used. Packets of a TIME_WAIT socket have
 * been used.
 */
tcp:::drop
	on rawtp:::kfree_skb
	/ __dropped_tcp && __is_drop /
	(args[0], args[3], __noted_ip, __drop_tcp, __drop_out, __noted_len, args[2], args[1])
or
	on rawtp:::kfree_skb
	/ __dropped_tcp && __is_early_drop /
	(args[0], args[0]->sk, __noted_ip, __drop_tcp, __drop_out, __noted_len, args[2], args[1])
;

/*
 * args[2] and args[4] are the headers of the reset, if it answers a segment, and always in replay.
 * Otherwise they have the socket's addresses and ports.
 */
tcp:::reset-sent
	on replay:::tcp_send
	/ __noted_tcp->rst /
	(args[0], args[1], __data_ip, __noted_tcp, 1, 0, 0, args[0]->len, 0)
or
	on rawtp:::tcp_send_reset
	(args[1], args[0], args[1] == NULL ? NULL : __reset_ip, args[1] == NULL ? NULL : __reset_tcp, 0, 1, 0,
	 args[1] == NULL ? 0 : __reset_len, args[2])
or
	on rawtp:::tcp_send_reset
	(args[1], args[0], args[1] == NULL ? NULL : __reset_ip, args[1] == NULL ? NULL : __reset_tcp, 0, 1, 0,
	 args[1] == NULL ? 0 : __reset_len, 0)

	on fbt::tcp_v4_send_reset:entry
	/ __stray_reset /
	(args[1], NULL, __reset_ip, __reset_tcp, 0, 1, 0, __reset_len, 0)

	on fbt::tcp_v6_send_reset:entry
	/ __stray_reset /
	(args[1], NULL, __reset_ip, __reset_tcp, 0, 1, 0, __reset_len, 0)
or
	on rawtp:::tcp_send_reset
	(args[1], args[0], args[1] == NULL ? NULL : __reset_ip, args[1] == NULL ? NULL : __reset_tcp, 0, 1, 0,
	 args[1] == NULL ? 0 : __reset_len, 0)
;

/*
 * Resets that the tracepoint of older kernels does not report: those without a socket, or of a
 * TIME_WAIT socket.
 */
inline int __stray_reset = !__reset_tcp->rst &&
	(args[0] == NULL || args[0]->__sk_common.skc_state == TCP_STATE_TIME_WAIT);

/*
 * The tracepoint is in tcp_reset(). Linux also calls that function when no reset has arrived: when
 * data comes for a socket that its process has closed. So the clauses remember the sockets that got
 * a reset.
 */
int __got_reset[uint64_t];      /* 1 if the socket got a reset; the key is the socket's cookie */

cgroup_skb:::ingress
/ __tcp_socket && __noted_tcp->rst /
{
	__got_reset[__cookie(args[0]->sk)] = 1;
}

fbt::sk_filter_trim_cap:entry
/ __in_segment && __in_tcp->rst /
{
	__got_reset[__cookie(args[0])] = 1;
}

rawtp:::tcp_destroy_sock
/ __got_reset[__cookie(args[0])] /
{
	__got_reset[__cookie(args[0])] = 0;
}

inline int __RCV_SHUTDOWN = 1;

tcp:::reset-received
	on rawtp:::tcp_receive_reset
	/ !(args[0]->sk_shutdown & __RCV_SHUTDOWN) || __got_reset[__cookie(args[0])] /
	(args[0])
or
	/* In replay only resets reset a connection. */
	on rawtp:::tcp_receive_reset
	(args[0])
;

/* The end of a socket. When a socket goes to TIME_WAIT, this is the end of the full socket. */
tcp:::destroy
	on rawtp:::tcp_destroy_sock
	(args[0])
;

/* Forgets the socket after its last probe: see translators/socket.d. */
rawtp:::tcp_destroy_sock
/ __is_kernels /
{
	__owner[__cookie(args[0])] = 0;
	__owner_near[__cookie(args[0]) & 1023] = 0;
	__owner_name[__cookie(args[0])] = 0;
	__owner_parent[__cookie(args[0])] = 0;
	__owner_args[__cookie(args[0])] = 0;
}

rawtp:::tcp_destroy_sock
/ __is_kernels /
{
	__leave(args[0]);
}

rawtp:::tcp_destroy_sock
/ __some_taken && __is_kernels && __taken[__cookie(args[0])] != 0 /
{
	__taken[__cookie(args[0])] = 0;
	__taken_name[__cookie(args[0])] = 0;
	__taken_parent[__cookie(args[0])] = 0;
	__taken_args[__cookie(args[0])] = 0;
}
