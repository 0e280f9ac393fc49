/*
 * ksim.h - the kernel that replay simulates: its structs and hooks.
 *
 * Structs and members have the kernel's names, with C types of the same width. If a member of the
 * real kernel is missing here, programs cannot use it in a replay. Both the C compiler (through
 * ksim_c.h) and, at run time, the D parser read this text, and both must give each member the same
 * offset. So the text has only plain declarations, without preprocessor lines and attributes. To
 * add a member, declare it here and set it in ksim_objects.c. A pointer to a struct is never NULL,
 * except sk of sk_buff, signal of task_struct, the pointers in the task of a packet's owner, and
 * where a comment says so.
 */

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u16 __sum16;
typedef __s64 ktime_t;

typedef struct {
	__s64 counter;
} atomic64_t;

typedef struct {
	__u32 val;
} kuid_t;

typedef struct {
	__u32 val;
} kgid_t;

/* The argument type of lock functions. A replay has no locks. */
typedef struct {
	__u32 cnts;
} rwlock_t;

/* ------------------------------------------- headers, as they are in packets */

struct in6_addr {
	union {
		__u8 u6_addr8[16];
		__be16 u6_addr16[8];
		__be32 u6_addr32[4];
	} in6_u;
};

struct in_addr {
	__be32 s_addr;
};

struct sockaddr {
	__u16 sa_family;
	char sa_data[14];
};

struct sockaddr_in {
	__u16 sin_family;
	__be16 sin_port;
	struct in_addr sin_addr;
	unsigned char __pad[8];
};

struct sockaddr_in6 {
	__u16 sin6_family;
	__be16 sin6_port;
	__be32 sin6_flowinfo;
	struct in6_addr sin6_addr;
	__u32 sin6_scope_id;
};

struct ethhdr {
	unsigned char h_dest[6];
	unsigned char h_source[6];
	__be16 h_proto;
};

struct iphdr {
	__u8 ihl : 4, version : 4;
	__u8 tos;
	__be16 tot_len;
	__be16 id;
	__be16 frag_off;
	__u8 ttl;
	__u8 protocol;
	__sum16 check;
	__be32 saddr;
	__be32 daddr;
};

struct ipv6hdr {
	__u8 priority : 4, version : 4;
	__u8 flow_lbl[3];
	__be16 payload_len;
	__u8 nexthdr;
	__u8 hop_limit;
	struct in6_addr saddr;
	struct in6_addr daddr;
};

struct tcphdr {
	__be16 source;
	__be16 dest;
	__be32 seq;
	__be32 ack_seq;
	__u16 res1 : 4, doff : 4, fin : 1, syn : 1, rst : 1, psh : 1, ack : 1, urg : 1, ece : 1,
		cwr : 1;
	__be16 window;
	__sum16 check;
	__be16 urg_ptr;
};

union tcp_word_hdr {
	struct tcphdr hdr;
	__be32 words[5];
};

struct icmphdr {
	unsigned char type;
	unsigned char code;
	__sum16 checksum;
	union {
		struct {
			__be16 id;
			__be16 sequence;
		} echo;
		__be32 gateway;
		struct {
			__be16 __unused;
			__be16 mtu;
		} frag;
	} un;
};

struct udphdr {
	__be16 source;
	__be16 dest;
	__be16 len;
	__sum16 check;
};

/* ----------------------------------------------------- namespaces and devices */

struct ns_common {
	unsigned int inum; /* always 0 in replay */
};

struct net {
	struct ns_common ns;
	__u64 net_cookie; /* always 0 in replay */
};

typedef struct {
	struct net *net;
} possible_net_t;

/* An interface of the capture. */
struct net_device {
	/* name of the interface if the capture has it, else the name of the file, or "stdin" */
	char name[16];
	int ifindex;              /* number of the interface in the file, from 1 */
	unsigned int mtu;         /* always 0 */
	unsigned int flags;       /* always 0 */
	unsigned long priv_flags; /* 0, which means that the device is not a bridge port */
	unsigned short type;      /* ARPHRD_* */
	possible_net_t nd_net;
};

/* -------------------------------------------------------------------- sockets */

/* The ports are skc_num, in host byte order, and skc_dport, in network byte order. */
struct sock_common {
	__be32 skc_daddr;
	__be32 skc_rcv_saddr;
	__be16 skc_dport;
	__u16 skc_num;
	unsigned short skc_family;
	unsigned char skc_state;
	int skc_bound_dev_if;
	possible_net_t skc_net;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
	atomic64_t skc_cookie;
	unsigned long skc_flags; /* has bit SOCK_DONE set once the FIN has arrived in order */
};

struct socket {
	short type;
};

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
};

struct sock_cgroup_data {
	struct cgroup *cgroup; /* a cgroup whose id is 0 */
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_type;
	__u16 sk_protocol;
	unsigned char sk_userlocks; /* always 0 */
	int sk_err;
	int sk_rcvbuf;            /* always 0 */
	__u32 sk_ack_backlog;     /* always 0 */
	__u32 sk_max_ack_backlog; /* always 0 */
	kuid_t sk_uid;            /* 4294967295, which means unknown */
	struct sock_cgroup_data sk_cgrp_data;
	/* NULL if the connection is not accepted yet, and in the placeholder socket */
	struct socket *sk_socket;
};

/* Replay never creates a request socket: the child socket sends the SYN+ACK. */
struct tcp_request_sock {
	struct sock_common __req_common;
	__u8 tfo_listener;
};

struct inet_sock {
	struct sock sk;
	__be32 inet_saddr;
	__be16 inet_sport;
};

struct inet_bind_bucket {
	signed char fastreuse;
};

struct tcp_congestion_ops {
	char name[16];
};

struct minmax_sample {
	__u32 t;
	__u32 v;
};

struct minmax {
	struct minmax_sample s[3];
};

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	__u8 icsk_retransmits;
	__u8 icsk_backoff;
	/*
	 * while the socket retransmits a segment, the reason: TCP_RETRANS_*, or 255 if the reason
	 * is unknown; otherwise 0
	 */
	__u8 icsk_pending;
	/* time-out in jiffies, which are milliseconds in replay */
	__u32 icsk_rto;
	/* the member fastreuse is -1 if connect() chose the port */
	struct inet_bind_bucket *icsk_bind_hash;
	__u8 icsk_ca_state; /* always 0 */
	/* NULL, because a capture does not show the algorithm */
	struct tcp_congestion_ops *icsk_ca_ops;
};

struct tcp_options_received {
	__u32 ts_recent;
	__u16 saw_tstamp : 1, tstamp_ok : 1, dsack : 1, wscale_ok : 1, sack_ok : 3, smc_ok : 1,
		snd_wscale : 4, rcv_wscale : 4;
	__u16 mss_clamp; /* MSS option of the peer; 0 if none was seen */
};

/*
 * One end of a connection, as its packets show it (engine/replay/tcp/sock.h). A capture cannot show
 * the congestion window.
 */
struct tcp_sock {
	struct inet_connection_sock inet_conn;
	__u32 srtt_us; /* 8 times the smoothed round-trip time; 0 if it is not measured yet */
	__u32 mdev_us;
	__u32 mdev_max_us;
	__u32 rttvar_us;
	__u32 rtt_seq;
	__u32 mss_cache;       /* 0 if it is not known */
	struct minmax rtt_min; /* minimum of all round-trip times */
	__u32 urg_seq;
	__u32 snd_up;
	__u16 advmss; /* MSS option of this end; 0 if none was seen */
	__u8 syn_data : 1, syn_fastopen : 1;
	__u32 snd_cwnd;     /* always 0 */
	__u32 snd_ssthresh; /* always 0 */
	__u32 total_retrans;
	/*
	 * the highest sequence number that SACK has acknowledged, plus 1; not valid if sacked_out
	 * is 0. Linux has the member highest_sack instead.
	 */
	__u32 highest_sack_end;
	/* always 0, because a capture does not show it; so are the next three members */
	__u32 packets_out;
	__u32 lost_out;
	__u32 rate_delivered;
	__u32 rate_interval_us;
	__u64 bytes_retrans;

	/* The fast path uses these members for nearly every segment, so they are adjacent. */
	__u32 retrans_out;
	__u32 high_seq;
	struct tcp_options_received rx_opt;
	__u64 bytes_acked; /* includes the SYN of an active open */
	__u64 bytes_received;
	__u64 bytes_sent;
	__u32 rcv_nxt;
	__u32 copied_seq; /* always equal to rcv_nxt */
	__u32 rcv_wup;
	__u32 rcv_wnd;
	__u32 snd_una;
	__u32 snd_nxt;
	__u32 write_seq;
	__u32 snd_wnd;
	__u32 snd_wl1;
	__u32 sacked_out;
};

/* -------------------------------------------------------------------- packets */

/*
 * A packet. len is the number of bytes that the packet had on the wire, counted from data on.
 * data_len of these bytes were not captured, so only len - data_len bytes can be read at data.
 */
struct sk_buff {
	struct net_device *dev;
	struct sock *sk;
	ktime_t tstamp;
	unsigned int len;
	unsigned int data_len;
	__u16 mac_len;
	__u8 pkt_type : 3;
	__u8 tstamp_type : 2;
	int skb_iif;
	__u32 hash;
	__u32 mark;
	__be16 vlan_proto;
	__u16 vlan_tci;
	__be16 protocol; /* 0 if it is unknown, or if no kernel would accept the header */
	/*
	 * this and the next two members are offsets from head. transport_header and mac_header are
	 * 65535 if there is no such header. network_header is where the link layer ends, even if no
	 * IP header follows.
	 */
	__u16 transport_header;
	__u16 network_header;
	__u16 mac_header;
	unsigned char *head;
	unsigned char *data;
};

/* ---------------------------------------------------------------------- tasks */

struct cred {
	kuid_t uid;
	kgid_t gid;
	kuid_t euid;
	kgid_t egid;
};

struct thread_info {
	__u32 cpu;
};

struct sched_entity {
	__u64 sum_exec_runtime;
};

struct upid {
	int nr;
};

struct pid {
	struct upid numbers[1];
};

struct signal_struct {
	int nr_threads;
	struct pid *pids[4];
};

struct mm_struct {
	unsigned long arg_start;
	unsigned long arg_end;
	unsigned long env_start;
};

/* Types of open files. A replay has no open files, but the D libraries refer to the types. */
struct file_system_type {
	const char *name;
};

struct super_block {
	struct file_system_type *s_type;
};

struct inode {
	struct super_block *i_sb;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	long long f_pos;
	unsigned int f_flags;
};

struct list_head {
	struct list_head *next, *prev;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

/*
 * A capture has no tasks, so pid and tgid are -1, names are empty, and user and group ids are
 * 4294967295. Only the task of a packet's owner has the pid and the name that the capture gives.
 */
struct task_struct {
	int pid;
	int tgid;
	char comm[16];
	unsigned int __state;
	int exit_state;
	unsigned int flags;
	int prio;
	int static_prio;
	unsigned int policy;
	struct thread_info thread_info;
	struct sched_entity se;
	struct signal_struct *signal;
	struct mm_struct *mm;            /* always NULL in replay */
	struct task_struct *real_parent; /* the task itself */
	struct task_struct *group_leader;
	struct cred *cred;
	struct cred *real_cred;
	struct files_struct *files; /* always NULL in replay */
};

/* Names in a capture that describe a packet's owner, besides the process. An unknown name is "". */
struct replay_names {
	char user[32];
	char cgroup[256];
	char container[64];
	char netns[64];
};

/* A DNS message in a TCP segment. */
struct replay_message {
	const unsigned char *text;
	__u32 len; /* number of bytes at text: those in the segment, and those before them */
};

/* ---------------------------------------------------------------------- hooks */

typedef void (*btf_trace_netif_receive_skb)(void *, struct sk_buff *);
typedef void (*btf_trace_net_dev_queue)(void *, struct sk_buff *);
typedef void (*btf_trace_inet_sock_set_state)(void *, const struct sock *, const int, const int);
typedef void (*btf_trace_tcp_receive_reset)(void *, struct sock *);
typedef void (*btf_trace_tcp_retransmit_skb)(void *, const struct sock *, const struct sk_buff *);
typedef void (*btf_trace_tcp_destroy_sock)(void *, struct sock *);
