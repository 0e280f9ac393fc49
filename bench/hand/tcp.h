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
	__u8 raddr[16];             /* IPv4: the first 4 bytes */
	__u64 sent, received;       /* bytes of data */
	__u64 ns;
};

/* Whose data goes where. All bytes are set, because the key of a hash contains its padding. */
struct talk {
	struct owner owner;
	__u32 family, lport, rport, out; /* ports in host order */
	__u32 laddr[4], raddr[4];        /* in network order; IPv4: the first word */
};

#endif
