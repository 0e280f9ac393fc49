/*
 * ksim.h - the kernel that replay offers: its structs and hooks.
 *
 * The kernel's own struct and member names with C types of the same width; a
 * member that is not here is one that this kernel does not have.  This text is
 * read twice, by the C compiler (through ksim_c.h) and by the D parser at run
 * time, and both must lay it out alike: plain declarations only, no
 * preprocessor lines, no attributes.  To add a member: declare it here and fill
 * it in source.c.
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

/* ------------------------------------------- headers, as they are in packets */

struct in6_addr {
	union {
		__u8 u6_addr8[16];
		__be16 u6_addr16[8];
		__be32 u6_addr32[4];
	} in6_u;
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

struct udphdr {
	__be16 source;
	__be16 dest;
	__be16 len;
	__sum16 check;
};

/* ----------------------------------------------------- namespaces and devices */

struct ns_common {
	unsigned int inum; /* 0 in replay */
};

struct net {
	struct ns_common ns;
	__u64 net_cookie; /* 0 in replay */
};

typedef struct {
	struct net *net;
} possible_net_t;

/* An interface of the capture. */
struct net_device {
	char name[16];            /* its name in a pcapng file, else the file's */
	int ifindex;              /* its number in the file, from 1 */
	unsigned int mtu;         /* 0: not known */
	unsigned int flags;       /* 0: not known */
	unsigned long priv_flags; /* 0: no bridge port, nor anything special */
	unsigned short type;      /* ARPHRD_* */
	possible_net_t nd_net;
};

/* ---------------------------------------------------------------------- users */

typedef struct {
	__u32 val;
} kuid_t;

typedef struct {
	__u32 val;
} kgid_t;

/* -------------------------------------------------------------------- sockets */

/* Ports: skc_num in host order, skc_dport in network order. */
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
};

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
};

struct sock_cgroup_data {
	struct cgroup *cgroup; /* with id 0 */
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_type;
	__u16 sk_protocol;
	kuid_t sk_uid;         /* 4294967295 */
	struct sock_cgroup_data sk_cgrp_data;
};

/* -------------------------------------------------------------------- packets */

/*
 * len counts the bytes on the wire from data on; data_len of them were not
 * captured, so that len - data_len bytes can be read at data.
 */
struct sk_buff {
	struct net_device *dev;
	struct sock *sk;
	ktime_t tstamp;
	unsigned int len;
	unsigned int data_len;
	__u16 mac_len;
	__u8 pkt_type : 3;
	int skb_iif;
	__u32 hash;
	__u32 mark;
	__be16 vlan_proto;
	__u16 vlan_tci;
	__be16 protocol;          /* 0: not known, or a header no kernel would accept */
	__u16 transport_header;   /* these three: offsets from head; 65535: not there */
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

/* A capture does not know who: pid and tgid are -1, names empty, ids 4294967295. */
struct task_struct {
	int pid;
	int tgid;
	char comm[16];
	struct task_struct *real_parent; /* itself */
	struct task_struct *group_leader;
	struct cred *cred;
	struct cred *real_cred;
};

/* ---------------------------------------------------------------------- hooks */

typedef void (*btf_trace_netif_receive_skb)(void *, struct sk_buff *);
typedef void (*btf_trace_net_dev_queue)(void *, struct sk_buff *);
