/*
 * tcp.d - the stable structs of the tcp provider, over the kernel's structs.
 *
 * Ports, addresses and numbers are in host order. Sequence numbers are those of the wire, not
 * relative to the start of the connection. Windows are in bytes, scaled. Times are in milliseconds,
 * unless a member says otherwise.
 */

/* include/net/tcp_states.h. Other systems use other values, so portable programs use the names. */
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;
inline int __TCP_NEW_SYN_RECV = 12;
inline int __TCP_BOUND_INACTIVE = 13;
/* Linux does not have these two states, so no connection is ever in one of them. */
inline int TCP_STATE_IDLE = -5;
inline int TCP_STATE_BOUND = -4;

inline int TCPS_CLOSED = 7;
inline int TCPS_LISTEN = 10;
inline int TCPS_SYN_SENT = 2;
inline int TCPS_SYN_RECEIVED = 3;
inline int TCPS_ESTABLISHED = 1;
inline int TCPS_CLOSE_WAIT = 8;
inline int TCPS_FIN_WAIT_1 = 4;
inline int TCPS_CLOSING = 11;
inline int TCPS_LAST_ACK = 9;
inline int TCPS_FIN_WAIT_2 = 5;
inline int TCPS_TIME_WAIT = 6;

inline string tcp_state_string[int s] =
	s == TCP_STATE_ESTABLISHED ? "state-established" :
	s == TCP_STATE_SYN_SENT ? "state-syn-sent" :
	s == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
	s == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
	s == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
	s == TCP_STATE_TIME_WAIT ? "state-time-wait" :
	s == TCP_STATE_CLOSED ? "state-closed" :
	s == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
	s == TCP_STATE_LAST_ACK ? "state-last-ack" :
	s == TCP_STATE_LISTEN ? "state-listen" :
	s == TCP_STATE_CLOSING ? "state-closing" :
	s == TCP_STATE_IDLE ? "state-idle" :
	s == TCP_STATE_BOUND ? "state-bound" : "<unknown>";

inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PUSH = 0x08;
inline uint8_t TH_PSH = 0x08;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

inline int TCP_MIN_HEADER_LENGTH = 20;

/* The name of the lowest flag that is set in @f, as on FreeBSD. */
inline string tcpflag_string[uint8_t f] =
	f & TH_FIN ? "FIN" : f & TH_SYN ? "SYN" : f & TH_RST ? "RST" : f & TH_PUSH ? "PUSH" :
	f & TH_ACK ? "ACK" : f & TH_URG ? "URG" : f & TH_ECE ? "ECE" : f & TH_CWR ? "CWR" : "unknown";

/*
 * Names that FreeBSD declares for its debug probes. Linux does not have these probes
 * (docs/compat.md), but scripts that mention them still compile.
 */
inline int TA_INPUT = 0;
inline int TA_OUTPUT = 1;
inline int TA_USER = 2;
inline int TA_RESPOND = 3;
inline int TA_DROP = 4;
inline string tcpdebug_dir_string[uint8_t d] = d == TA_INPUT ? "input" : d == TA_OUTPUT ? "output" :
	d == TA_USER ? "user" : d == TA_RESPOND ? "respond" : d == TA_DROP ? "drop" : "unknown";

inline int PRU_ATTACH = 0;
inline int PRU_DETACH = 1;
inline int PRU_BIND = 2;
inline int PRU_LISTEN = 3;
inline int PRU_CONNECT = 4;
inline int PRU_ACCEPT = 5;
inline int PRU_DISCONNECT = 6;
inline int PRU_SHUTDOWN = 7;
inline int PRU_RCVD = 8;
inline int PRU_SEND = 9;
inline int PRU_ABORT = 10;
inline int PRU_CONTROL = 11;
inline int PRU_SENSE = 12;
inline int PRU_RCVOOB = 13;
inline int PRU_SENDOOB = 14;
inline int PRU_SOCKADDR = 15;
inline int PRU_PEERADDR = 16;
inline int PRU_CONNECT2 = 17;
inline int PRU_FASTTIMO = 18;
inline int PRU_SLOWTIMO = 19;
inline int PRU_PROTORCV = 20;
inline int PRU_PROTOSEND = 21;
inline int PRU_SEND_EOF = 22;
inline int PRU_SOSETLABEL = 23;
inline int PRU_CLOSE = 24;
inline int PRU_FLUSH = 25;
inline string prureq_string[uint8_t r] =
	r == PRU_ATTACH ? "ATTACH" : r == PRU_DETACH ? "DETACH" : r == PRU_BIND ? "BIND" :
	r == PRU_LISTEN ? "LISTEN" : r == PRU_CONNECT ? "CONNECT" : r == PRU_ACCEPT ? "ACCEPT" :
	r == PRU_DISCONNECT ? "DISCONNECT" : r == PRU_SHUTDOWN ? "SHUTDOWN" : r == PRU_RCVD ? "RCVD" :
	r == PRU_SEND ? "SEND" : r == PRU_ABORT ? "ABORT" : r == PRU_CONTROL ? "CONTROL" :
	r == PRU_SENSE ? "SENSE" : r == PRU_RCVOOB ? "RCVOOB" : r == PRU_SENDOOB ? "SENDOOB" :
	r == PRU_SOCKADDR ? "SOCKADDR" : r == PRU_PEERADDR ? "PEERADDR" : r == PRU_CONNECT2 ? "CONNECT2" :
	r == PRU_FASTTIMO ? "FASTTIMO" : r == PRU_SLOWTIMO ? "SLOWTIMO" : r == PRU_PROTORCV ? "PROTORCV" :
	r == PRU_PROTOSEND ? "PROTOSEND" : r == PRU_SEND_EOF ? "SEND_EOF" : r == PRU_SOSETLABEL ? "SOSETLABEL" :
	r == PRU_CLOSE ? "CLOSE" : r == PRU_FLUSH ? "FLUSH" : "unknown";

/* ------------------------------------------------------------------ the segment */

/*
 * The header of a TCP segment (RFC 9293). Without a header, numbers are 0, and ports are those of
 * the socket.
 */
typedef struct tcpinfo {
	uint16_t tcp_sport;		/* source port, host order */
	uint16_t tcp_dport;		/* destination port, host order */
	uint32_t tcp_seq;		/* sequence number of the segment's first byte, host
					 * order */
	uint32_t tcp_ack;		/* sequence number that the sender expects next, host
					 * order; valid with TH_ACK */
	uint8_t tcp_offset;		/* header length in bytes, options included: 20 to 60 */
	uint8_t tcp_flags;		/* TH_SYN, TH_ACK, TH_FIN, TH_RST, TH_PUSH, TH_URG,
					 * TH_ECE, TH_CWR, or-ed */
	uint16_t tcp_window;		/* window as in the header, not scaled */
	uint16_t tcp_checksum;		/* checksum, host order; not complete yet in segments
					 * that this host sends */
	uint16_t tcp_urgent;		/* urgent pointer, host order; valid with TH_URG */
	struct tcphdr *tcp_hdr;		/* pointer to the header, in network order; NULL if
					 * there is none, or if the kernel has not made it yet */
	int tcp_plength;		/* bytes of data, without TCP's header and without extension
					 * headers of IPv6 */
	int tcp_segments;		/* number of segments on the network: more than 1 if a
					 * device will cut the packet (segmentation offload) or
					 * has merged it (GRO); in replay computed from
					 * tcps_mss */
} tcpinfo_t;

inline int __tcp_flags[struct tcphdr *t] = ntohl(((union tcp_word_hdr *)t)->words[3]) >> 16 & 0xff;
inline int __tcp_says_data[struct iphdr *h, struct tcphdr *t, uint32_t len] =
	(int)(__ip_length[h, len] - (uint32_t)((char *)t - (char *)h) - t->doff * 4);
inline int __tcp_data[struct iphdr *h, struct tcphdr *t, uint32_t len] =
	!__live || __tcp_says_data[h, t, len] >= 0 ? __tcp_says_data[h, t, len] : 0;

/*
 * The number of segments on the network that packet @s is, with @data bytes of data: into which a
 * device will cut it, or from which GRO has made it. A capture does not have this number. There, the
 * largest segment of socket @k tells it; both ends have the same one, if their SYNs are seen.
 */
inline int __gso_segments[struct sk_buff *s] = s == NULL ? 0 :
	((struct skb_shared_info *)(s->head + s->end))->gso_segs;
inline int __mss[struct sock *k] = __full[k] ? __tp[k]->mss_cache : 0;
inline int __cut[int data, int mss] = mss == 0 || data <= mss ? 1 : (data + mss - 1) / mss;
inline int __segments[struct sk_buff *s, int data, struct sock *k] = !__live ? __cut[data, __mss[k]] :
	__either(__gso_segments[s], 0) > 1 ? __either(__gso_segments[s], 0) : 1;

/*
 * If answer is true, T is the header of a received segment, and the translator shows the reset that
 * answers this segment, as RFC 9293 3.5.2 (and tcp_v4_send_reset()) makes it. I is the IP header
 * before T, and len is the number of bytes from I to the end of the packet. If T is NULL, the ports
 * are those of socket S. out is true if this host sends the segment. K is the packet, or NULL.
 */
translator tcpinfo_t < struct tcphdr *T, struct iphdr *I, uint32_t len, struct sock *S, int out, struct sk_buff *K,
    int answer > {
	tcp_sport = T != NULL ? ntohs(answer ? T->dest : T->source) :
	    out || answer ? __sock_lport[S] : __sock_rport[S];
	tcp_dport = T != NULL ? ntohs(answer ? T->source : T->dest) :
	    out || answer ? __sock_rport[S] : __sock_lport[S];
	tcp_seq = T == NULL ? 0 : !answer ? ntohl(T->seq) : T->ack ? ntohl(T->ack_seq) : 0;
	tcp_ack = T == NULL ? 0 : !answer ? ntohl(T->ack_seq) :
	    T->ack ? 0 : ntohl(T->seq) + T->syn + T->fin + __tcp_data[I, T, len];
	tcp_offset = T == NULL ? 0 : answer ? 20 : T->doff * 4;
	tcp_flags = T == NULL ? 0 : !answer ? __tcp_flags[T] : T->ack ? TH_RST : TH_RST | TH_ACK;
	tcp_window = T == NULL || answer ? 0 : ntohs(T->window);
	tcp_checksum = T == NULL || answer ? 0 : ntohs(T->check);
	tcp_urgent = T == NULL || answer ? 0 : ntohs(T->urg_ptr);
	tcp_hdr = answer ? NULL : T;
	tcp_plength = T == NULL || I == NULL || answer ? 0 : __tcp_data[I, T, len];
	tcp_segments = answer ? 1 : __segments[K, T == NULL || I == NULL ? 0 : __tcp_data[I, T, len], S];
};

/* --------------------------------------------------------------- the connection */

/*
 * Is @s a full socket? In TIME_WAIT, and in SYN_RECV before the end of the handshake, a socket is a
 * small struct: of struct sock it has only the part __sk_common.
 */
inline int __full[struct sock *s] = s != NULL && s->__sk_common.skc_state != TCP_STATE_TIME_WAIT &&
	s->__sk_common.skc_state != __TCP_NEW_SYN_RECV;
inline int __state[struct sock *s] =
	s == NULL || s->__sk_common.skc_state == __TCP_BOUND_INACTIVE ? TCP_STATE_CLOSED :
	s->__sk_common.skc_state == __TCP_NEW_SYN_RECV ? TCP_STATE_SYN_RECEIVED : s->__sk_common.skc_state;
inline struct tcp_sock *__tp[struct sock *s] = (struct tcp_sock *)s;
inline struct inet_connection_sock *__icsk[struct sock *s] = (struct inet_connection_sock *)s;

/* Have both ends sent their initial sequence numbers? */
inline int __synced[struct sock *s] = __full[s] && s->__sk_common.skc_state != TCP_STATE_SYN_SENT &&
	s->__sk_common.skc_state != TCP_STATE_CLOSED && s->__sk_common.skc_state != TCP_STATE_LISTEN;

/*
 * Did this host open the connection? The kernel does not record that. But an accepted connection is
 * a copy of its listener, so its sk_max_ack_backlog is the listener's backlog; in other sockets it
 * is 0. (After listen(fd, 0), an accepted connection counts as opened by this host.) Replay
 * (namespace 0) instead sets fastreuse to -1, as the kernel does for a port that connect() chose.
 */
inline int __active[struct sock *s] = __full[s] && s->__sk_common.skc_state != TCP_STATE_LISTEN &&
	s->__sk_common.skc_dport != 0 &&
	(s->__sk_common.skc_net.net->ns.inum != 0 ? s->sk_max_ack_backlog == 0 :
	 __icsk[s]->icsk_bind_hash != NULL && __icsk[s]->icsk_bind_hash->fastreuse == -1);

/* Ports and addresses of a socket. In state CLOSED, skc_num is already 0. */
inline uint16_t __sock_lport[struct sock *s] = s == NULL ? 0 : s->__sk_common.skc_num != 0 ?
	s->__sk_common.skc_num : __full[s] ? ntohs(((struct inet_sock *)s)->inet_sport) : 0;
inline uint16_t __sock_rport[struct sock *s] = s == NULL ? 0 : ntohs(s->__sk_common.skc_dport);
inline string __sock_laddr[struct sock *s] = s == NULL ? "<unknown>" :
	s->__sk_common.skc_family == AF_INET ? inet_ntoa(&s->__sk_common.skc_rcv_saddr) :
	inet_ntoa6(&s->__sk_common.skc_v6_rcv_saddr);
inline string __sock_raddr[struct sock *s] = s == NULL ? "<unknown>" :
	s->__sk_common.skc_family == AF_INET ? inet_ntoa(&s->__sk_common.skc_daddr) :
	inet_ntoa6(&s->__sk_common.skc_v6_daddr);
inline int __same6[struct in6_addr *a, struct in6_addr *b] =
	a->in6_u.u6_addr32[0] == b->in6_u.u6_addr32[0] && a->in6_u.u6_addr32[1] == b->in6_u.u6_addr32[1] &&
	a->in6_u.u6_addr32[2] == b->in6_u.u6_addr32[2] && a->in6_u.u6_addr32[3] == b->in6_u.u6_addr32[3];
inline int __ip_same[struct iphdr *h] = h->version == 4 ? h->saddr == h->daddr :
	__same6[&((struct ipv6hdr *)h)->saddr, &((struct ipv6hdr *)h)->daddr];
inline int __sock_same[struct sock *s] = s->__sk_common.skc_family == AF_INET ?
	s->__sk_common.skc_rcv_saddr == s->__sk_common.skc_daddr :
	__same6[&s->__sk_common.skc_v6_rcv_saddr, &s->__sk_common.skc_v6_daddr];

/*
 * Is the segment a retransmission? A retransmission has an old sequence number, and data, a SYN or
 * a FIN. Linux sends keep-alives and window probes with an old sequence number too, but without
 * data. The first SYN+ACK of a simultaneous open or of Fast Open also has an old number. So a
 * SYN+ACK counts only after a timeout, in a simultaneous open. With Fast Open, the SYN+ACK is
 * retransmitted by the request socket, which is not a full socket.
 *
 * Other systems send keep-alives and window probes with one byte. In replay, send_kind() of
 * engine/replay/tcp/sock.c recognises them: icsk_pending is not 0 while the socket retransmits. All
 * sockets of replay are full sockets, so those in TIME_WAIT have icsk_pending, too.
 */
inline int __resent[struct sock *s, struct iphdr *h, struct tcphdr *t, uint32_t len] =
	!__live ? s != NULL && __icsk[s]->icsk_pending != 0 :
	__full[s] && s->__sk_common.skc_state != TCP_STATE_LISTEN &&
	((int)(ntohl(t->seq) - __tp[s]->snd_nxt) < 0 &&
	 (t->syn ? !t->ack || __icsk[s]->icsk_retransmits > 0 : t->fin || __tcp_data[h, t, len] > 0));

/*
 * Is a segment without headers a retransmitted SYN+ACK? It is if @s is a request socket: probes of
 * all other segments of a request socket have the headers.
 */
inline int __synack_without_packet[struct sock *s] =
	s != NULL && s->__sk_common.skc_state == __TCP_NEW_SYN_RECV;

/* The values of tcps_retransmit_kind: the reason why TCP retransmits a segment. */
inline int TCP_RETRANS_UNKNOWN = -1;
inline int TCP_RETRANS_NONE = 0;        /* not a retransmission */
inline int TCP_RETRANS_SYN = 1;         /* no answer came to the SYN */
inline int TCP_RETRANS_SYNACK = 2;      /* no answer came to the SYN+ACK, or the other
					 * host retransmitted its SYN */
inline int TCP_RETRANS_TIMEOUT = 3;     /* the retransmission timer expired (RFC 6298) */
inline int TCP_RETRANS_LOSS = 4;        /* the timer expired earlier, and acknowledgements arrive
					 * again; TCP still considers this segment lost */
inline int TCP_RETRANS_FAST = 5;        /* acknowledgements show that data is missing (RFC 6675, 8985) */
inline int TCP_RETRANS_PROBE = 6;       /* tail loss probe: the last segment again, before the
					 * timer expires */
inline string tcp_retrans_string[int k] = k == TCP_RETRANS_NONE ? "none" : k == TCP_RETRANS_SYN ? "syn" :
	k == TCP_RETRANS_SYNACK ? "syn-ack" : k == TCP_RETRANS_TIMEOUT ? "timeout" : k == TCP_RETRANS_LOSS ? "loss" :
	k == TCP_RETRANS_FAST ? "fast" : k == TCP_RETRANS_PROBE ? "probe" : "<unknown>";

/*
 * The reason why TCP retransmits a segment, from the socket's state while TCP sends. icsk_pending
 * is the timer that is set (include/net/inet_connection_sock.h), or 0 if the retransmission timer
 * has expired. In replay, icsk_pending is the reason itself, which engine/replay/tcp/sock.c sets.
 */
inline int __ICSK_TIME_LOSS_PROBE = 5;
inline int __REASON_UNKNOWN = 255; /* in replay: a retransmission whose reason is unknown */
inline int __retrans_kind[struct sock *s] =
	!__live ? (__icsk[s]->icsk_pending == __REASON_UNKNOWN ? TCP_RETRANS_UNKNOWN : __icsk[s]->icsk_pending) :
	__icsk[s]->icsk_ca_state == TCP_CA_LOSS ?
	(__icsk[s]->icsk_pending == 0 ? TCP_RETRANS_TIMEOUT : TCP_RETRANS_LOSS) :
	__icsk[s]->icsk_ca_state == TCP_CA_RECOVERY ? TCP_RETRANS_FAST :
	__icsk[s]->icsk_pending == __ICSK_TIME_LOSS_PROBE ? TCP_RETRANS_PROBE : TCP_RETRANS_UNKNOWN;

inline int __listens[struct sock *s] = __full[s] && s->__sk_common.skc_state == TCP_STATE_LISTEN;

/* include/uapi/linux/tcp.h: states of congestion control */
inline int TCP_CA_OPEN = 0;             /* no sign of a loss */
inline int TCP_CA_DISORDER = 1;         /* acknowledgements out of order: perhaps a loss */
inline int TCP_CA_CWR = 2;              /* congestion without loss (ECN, or a full queue here): TCP sends less */
inline int TCP_CA_RECOVERY = 3;         /* TCP retransmits lost segments */
inline int TCP_CA_LOSS = 4;             /* TCP retransmits lost segments, after a timeout */
inline string tcp_ca_string[int s] = s == TCP_CA_OPEN ? "open" : s == TCP_CA_DISORDER ? "disorder" :
	s == TCP_CA_CWR ? "cwr" : s == TCP_CA_RECOVERY ? "recovery" : s == TCP_CA_LOSS ? "loss" : "<unknown>";

/*
 * Was the FIN sent? In FIN_WAIT_1, CLOSING and LAST_ACK, the FIN may still wait behind unsent data.
 * write_seq counts the FIN, so the FIN was sent if snd_nxt has reached write_seq.
 */
inline int __fin_sent[struct sock *s] = s->__sk_common.skc_state == TCP_STATE_FIN_WAIT_2 ||
	((s->__sk_common.skc_state == TCP_STATE_FIN_WAIT_1 || s->__sk_common.skc_state == TCP_STATE_CLOSING ||
	  s->__sk_common.skc_state == TCP_STATE_LAST_ACK) && __tp[s]->snd_nxt == __tp[s]->write_seq);

/* include/net/sock.h, enum sock_flags: TCP sets this flag when the other host's FIN arrives in order */
inline int __SOCK_DONE = 1;

/*
 * The TCP connection as the kernel sees it, and in replay as the capture shows it. Without a
 * socket, and in TIME_WAIT, members that only a full socket has are 0.
 */
typedef struct tcpsinfo {
	uintptr_t tcps_addr;		/* address of the kernel's sock; 0 if there is no
					 * socket */
	int tcps_local;			/* 1 if local and remote address are equal: both ends
					 * are on this host */
	int tcps_active;		/* 1 if this host opened the connection; 0 if it
					 * accepted the connection, if it listens, and if
					 * unknown */
	uint16_t tcps_lport;		/* port of this host, host order */
	uint16_t tcps_rport;		/* port of the other host, host order; 0 before the
					 * socket connects */
	string tcps_laddr;		/* address of this host as text; "<unknown>" if there is
					 * neither header nor socket */
	string tcps_raddr;		/* address of the other host as text; "<unknown>" if
					 * there is neither header nor socket */
	int32_t tcps_state;		/* state: TCP_STATE_ESTABLISHED, or TCPS_ESTABLISHED
					 * ...; tcp_state_string[] has names */
	uint32_t tcps_iss;		/* this host's initial sequence number; in replay a
					 * guess if the capture lacks the SYN */
	uint32_t tcps_irs;		/* the other host's initial sequence number; 0 while
					 * unknown; in replay a guess if the capture lacks the
					 * SYN */
	uint32_t tcps_suna;		/* first sequence number that this host has sent and the
					 * other host has not acknowledged */
	uint32_t tcps_smax;		/* highest sequence number sent, plus 1 */
	uint32_t tcps_snxt;		/* next sequence number to send */
	uint32_t tcps_rack;		/* last acknowledgement number that this host sent */
	uint32_t tcps_rnxt;		/* next sequence number that this host expects */
	uint64_t tcps_swnd;		/* window that the other host offers, in bytes, scaled
					 * (RFC 7323) */
	int32_t tcps_snd_ws;		/* shift count of tcps_swnd, 0 to 14 */
	uint32_t tcps_swl1;		/* sequence number of the segment that last changed
					 * tcps_swnd (RFC 9293 SND.WL1) */
	uint32_t tcps_swl2;		/* the same as tcps_suna; Linux does not keep SND.WL2
					 * (RFC 9293) */
	uint32_t tcps_rup;		/* sequence number of received urgent data (RFC 9293
					 * RCV.UP) */
	uint32_t tcps_radv;		/* sequence number at the end of the window that this
					 * host offered last */
	uint64_t tcps_rwnd;		/* window that this host offers, in bytes, scaled */
	int32_t tcps_rcv_ws;		/* shift count of tcps_rwnd, 0 to 14 */
	uint64_t tcps_cwnd;		/* congestion window in bytes (RFC 5681); in replay 0 */
	uint64_t tcps_cwnd_ssthresh; /* slow start threshold in bytes; 2147483647 if there is no
					 * limit yet; in replay 0 */
	uint32_t tcps_srecover;		/* sequence number whose acknowledgement ends the
					 * recovery from a loss (RFC 6582) */
	int tcps_dupacks;		/* number of segments that SACK acknowledges; without
					 * SACK, number of duplicate acknowledgements */
	int tcps_rtttime;		/* always 0: Linux does not time single segments */
	uint32_t tcps_rtseq;		/* always 0: Linux does not time single segments */
	uint32_t tcps_ts_recent;	/* last timestamp received, in the other host's units
					 * (RFC 7323) */
	uint32_t tcps_sack_fack;	/* highest sequence number that SACK acknowledges, plus
					 * 1 (RFC 2018); tcps_suna if SACK acknowledges none */
	uint32_t tcps_sack_snxt; /* sequence number at which recovery by SACK ends */
	uint32_t tcps_rto;		/* retransmission timeout in milliseconds (RFC 6298) */
	uint32_t tcps_mss;		/* maximum bytes of data in a segment, at present */
	int tcps_retransmit;		/* 1 if this segment, or part of it, was sent before */
	int tcps_srtt;			/* smoothed round trip time in units of 1/32 millisecond */
	uint32_t tcps_rtt;		/* smoothed round trip time in whole milliseconds; 0 if
					 * it is less than one millisecond */
	uint32_t tcps_rtt_sd;		/* mean deviation of the round trip time in whole
					 * milliseconds */
	int tcps_debug;			/* 1 if SO_DEBUG is set */
	int tcps_cookie;		/* always 0: Linux has no SO_USER_COOKIE */
	uint32_t tcps_rtt_us;		/* smoothed round trip time in microseconds; 0 if not
					 * measured yet */
	uint32_t tcps_rttvar_us;	/* mean deviation of the round trip time in microseconds */
	uint32_t tcps_minrtt_us;	/* lowest round trip time in the last five minutes, in
					 * microseconds; in replay, in the whole connection; 0
					 * if not measured yet */
	uint64_t tcps_delivery_rate;	/* latest delivery rate in bytes per second; 0 if
					 * unknown, and in replay */
	uint64_t tcps_bytes_acked;	/* bytes that the other host has acknowledged; if this
					 * host opened the connection, its SYN counts as a byte */
	uint64_t tcps_bytes_received;	/* bytes received in order */
	uint64_t tcps_bytes_sent;	/* bytes of data sent, including retransmitted data */
	uint64_t tcps_bytes_retrans;	/* bytes of data retransmitted */
	int tcps_fin_sent;		/* 1 if this host has sent its FIN; 0 again once the
					 * socket is closed or in TIME_WAIT. The FIN counts as a
					 * byte in tcps_snxt, and after its acknowledgement in
					 * tcps_bytes_acked */
	int tcps_fin_received;		/* 1 if the other host's FIN has arrived in order. The
					 * FIN counts as a byte in tcps_rnxt and
					 * tcps_bytes_received */
	uint32_t tcps_retrans;		/* number of segments retransmitted in the whole
					 * connection */
	uint32_t tcps_unacked;		/* number of segments sent and not acknowledged; in
					 * replay 0 */
	uint32_t tcps_lost;		/* number of unacknowledged segments that TCP considers
					 * lost; in replay 0 */
	int tcps_ca_state;		/* state of congestion control: TCP_CA_OPEN ...
					 * TCP_CA_LOSS; tcp_ca_string[] has names; in replay
					 * TCP_CA_OPEN */
	string tcps_ca_name;		/* name of the congestion control algorithm: "cubic"; in
					 * replay "<unknown>" */
	uint32_t tcps_backlog;		/* for a listener: number of connections that wait for
					 * accept(2); in replay 0 */
	uint32_t tcps_backlog_max;	/* for a listener: limit of tcps_backlog; tcps_backlog
					 * may exceed it by one; in replay 0 */
	int tcps_retransmit_kind;	/* reason why TCP retransmits this segment:
					 * TCP_RETRANS_TIMEOUT ...; tcp_retrans_string[] has
					 * names. In replay, dtrace infers the reason from
					 * acknowledgements and pauses; if it cannot,
					 * TCP_RETRANS_UNKNOWN */
	uint32_t tcps_mptcp_token;	/* token of the MPTCP connection of this subflow (RFC
					 * 8684), as ss -M shows it; 0 if there is none, and in
					 * replay */
} tcpsinfo_t;

/* Linux points to the segment after the last one that SACK acknowledged; replay has its number. */
inline uint32_t __highest_sack_end[struct sock *s] = __either(__tp[s]->highest_sack_end,
	__tp[s]->highest_sack == NULL ? __tp[s]->snd_nxt :
	((struct tcp_skb_cb *)&__tp[s]->highest_sack->cb)->seq);

/* A kernel without MPTCP does not have struct mptcp_subflow_context. */
inline uint32_t __mptcp_token[struct sock *s] = __either(
	__full[s] && __tp[s]->is_mptcp && __icsk[s]->icsk_ulp_data != NULL ?
	((struct mptcp_subflow_context *)__icsk[s]->icsk_ulp_data)->token : 0, 0);

/*
 * I and T are the headers of the segment, whose IP packet has len bytes. If they are NULL,
 * addresses and ports come from socket S. out is true if this host sends the segment. state is
 * TCP_STATE_*, or 0 to use the socket's state; it is given if the kernel has not set the socket's
 * state yet.
 */
translator tcpsinfo_t < struct sock *S, struct iphdr *I, struct tcphdr *T, int out, int state, uint32_t len > {
	tcps_addr = (uintptr_t)S;
	tcps_local = I != NULL ? __ip_same[I] : S == NULL ? 0 : __sock_same[S];
	tcps_active = __active[S];
	tcps_lport = T != NULL ? ntohs(out ? T->source : T->dest) : __sock_lport[S];
	tcps_rport = T != NULL ? ntohs(out ? T->dest : T->source) : __sock_rport[S];
	tcps_laddr = I != NULL ? __near_addr[I, out] : __sock_laddr[S];
	tcps_raddr = I != NULL ? __far_addr[I, out] : __sock_raddr[S];
	tcps_state = state ? state : __state[S];
	/* bytes_acked counts the SYN only for the active opener */
	tcps_iss = __full[S] ? __tp[S]->snd_una - (uint32_t)__tp[S]->bytes_acked -
	    (__synced[S] && !__active[S]) : 0;
	tcps_irs = __synced[S] ? __tp[S]->rcv_nxt - (uint32_t)__tp[S]->bytes_received - 1 : 0;
	tcps_suna = __full[S] ? __tp[S]->snd_una : 0;
	tcps_smax = __full[S] ? __tp[S]->snd_nxt : 0;
	tcps_snxt = __full[S] ? __tp[S]->snd_nxt : 0;
	tcps_rack = __full[S] ? __tp[S]->rcv_wup : 0;
	tcps_rnxt = __full[S] ? __tp[S]->rcv_nxt : 0;
	tcps_swnd = __full[S] ? __tp[S]->snd_wnd : 0;
	tcps_snd_ws = __full[S] ? __tp[S]->rx_opt.snd_wscale : 0;
	tcps_swl1 = __full[S] ? __tp[S]->snd_wl1 : 0;
	tcps_swl2 = __full[S] ? __tp[S]->snd_una : 0;
	tcps_rup = __full[S] ? __tp[S]->urg_seq : 0;
	tcps_radv = __full[S] ? __tp[S]->rcv_wup + __tp[S]->rcv_wnd : 0;
	tcps_rwnd = __full[S] ? __tp[S]->rcv_wnd : 0;
	tcps_rcv_ws = __full[S] ? __tp[S]->rx_opt.rcv_wscale : 0;
	tcps_cwnd = __full[S] ? (uint64_t)__tp[S]->snd_cwnd * __tp[S]->mss_cache : 0;
	tcps_cwnd_ssthresh = !__full[S] ? 0 : __tp[S]->snd_ssthresh >= 0x7fffffff ? 0x7fffffff :
	    (uint64_t)__tp[S]->snd_ssthresh * __tp[S]->mss_cache;
	tcps_srecover = __full[S] ? __tp[S]->high_seq : 0;
	tcps_dupacks = __full[S] ? __tp[S]->sacked_out : 0;
	tcps_rtttime = 0;
	tcps_rtseq = 0;
	tcps_ts_recent = __full[S] ? __tp[S]->rx_opt.ts_recent : 0;
	tcps_sack_fack = !__full[S] ? 0 : __tp[S]->sacked_out == 0 ? __tp[S]->snd_una :
	    __highest_sack_end[S];
	tcps_sack_snxt = __full[S] ? __tp[S]->high_seq : 0;
	tcps_rto = __full[S] ? (uint32_t)((uint64_t)__icsk[S]->icsk_rto * 1000 / __hz) : 0;
	tcps_mss = __full[S] ? __tp[S]->mss_cache : 0;
	tcps_retransmit = !out ? 0 : T != NULL ? __resent[S, I, T, len] : __synack_without_packet[S];
	tcps_srtt = __full[S] ? (__tp[S]->srtt_us >> 3) * 4 / 125 : 0;
	tcps_rtt = __full[S] ? (__tp[S]->srtt_us >> 3) / 1000 : 0;
	tcps_rtt_sd = __full[S] ? (__tp[S]->mdev_us >> 2) / 1000 : 0;
	tcps_debug = __full[S] ? S->__sk_common.skc_flags >> 10 & 1 : 0;
	tcps_cookie = 0;
	tcps_rtt_us = __full[S] ? __tp[S]->srtt_us >> 3 : 0;
	tcps_rttvar_us = __full[S] ? __tp[S]->mdev_us >> 2 : 0;
	tcps_minrtt_us = !__full[S] || __tp[S]->srtt_us == 0 ? 0 : __tp[S]->rtt_min.s[0].v;
	tcps_delivery_rate = !__full[S] || __tp[S]->rate_interval_us == 0 ? 0 :
	    (uint64_t)__tp[S]->rate_delivered * __tp[S]->mss_cache * 1000000 / __tp[S]->rate_interval_us;
	tcps_bytes_acked = __full[S] ? __tp[S]->bytes_acked : 0;
	tcps_bytes_received = __full[S] ? __tp[S]->bytes_received : 0;
	tcps_bytes_sent = __full[S] ? __tp[S]->bytes_sent : 0;
	tcps_bytes_retrans = __full[S] ? __tp[S]->bytes_retrans : 0;
	tcps_fin_sent = __full[S] && __fin_sent[S];
	tcps_fin_received = __full[S] ? S->__sk_common.skc_flags >> __SOCK_DONE & 1 : 0;
	tcps_retrans = __full[S] ? __tp[S]->total_retrans : 0;
	tcps_unacked = __full[S] && !__listens[S] ? __tp[S]->packets_out : 0;
	tcps_lost = __full[S] && !__listens[S] ? __tp[S]->lost_out : 0;
	tcps_ca_state = __full[S] ? __icsk[S]->icsk_ca_state : 0;
	tcps_ca_name = __full[S] && __icsk[S]->icsk_ca_ops != NULL ? stringof(__icsk[S]->icsk_ca_ops->name) :
	    "<unknown>";
	tcps_backlog = __listens[S] ? S->sk_ack_backlog : 0;
	tcps_backlog_max = __listens[S] ? S->sk_max_ack_backlog : 0;
	tcps_retransmit_kind = !out ? TCP_RETRANS_NONE :
	    T == NULL ? (__synack_without_packet[S] ? TCP_RETRANS_SYNACK : TCP_RETRANS_NONE) :
	    !__resent[S, I, T, len] ? TCP_RETRANS_NONE :
	    T->syn ? (T->ack ? TCP_RETRANS_SYNACK : TCP_RETRANS_SYN) : __retrans_kind[S];
	tcps_mptcp_token = __mptcp_token[S];
};

/* The state of a connection before a transition to another state. */
typedef struct tcplsinfo {
	int tcps_state;			/* state before the transition: TCP_STATE_ESTABLISHED ... */
} tcplsinfo_t;

translator tcplsinfo_t < int old > {
	tcps_state = old;
};
