/*
 * tcp.h - records and keys that tcplife.bpf.c and tcptop.bpf.c share with the program that prints
 * them.
 */
#ifndef BENCH_HAND_TCP_H
#define BENCH_HAND_TCP_H

#include <linux/types.h>

struct owner {
	__u32 pid;
	char name[16];
};

/* A connection that has ended. */
struct life {
	struct owner owner;
	__u16 family, lport, rport; /* in host order */
	__u8 raddr[16];             /* an IPv4 address is in the first 4 bytes */
	__u64 sent, received;       /* bytes of data */
	__u64 ns;
};

/*
 * The key of tcptop.bpf.c: an owner, a connection and a direction. All members are multiples of 4
 * bytes. So there is no padding, which would be a part of the key.
 */
struct talk {
	struct owner owner;
	__u32 family, lport, rport, out; /* ports in host order */
	__u32 laddr[4], raddr[4];        /* in network order; an IPv4 address is the first word */
};

#endif
