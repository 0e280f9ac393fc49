/*
 * source.h - the event source that replays a capture file, or the packets of an interface.
 *
 * Replay acts like another kernel: it fills the structs of ksim.h from each packet and fires the
 * hooks of a Linux kernel, in its order, on the virtual machine:
 *
 *	the sender's      replay send (TCP, UDP, UDP-Lite datagrams), cgroup_skb
 *	                  egress (IP packets), net_dev_queue
 *	the receiver's    netif_receive_skb, cgroup_skb ingress and replay receive
 *	                  (TCP, UDP, UDP-Lite datagrams)
 *
 * Hooks of TCP connections fire between these hooks (tcp/track.h): state changes, handshakes,
 * refusals, resets, retransmissions, ends.
 *
 * A fragment is no datagram: it fires only the hooks of IP packets and of all packets. Once all
 * fragments have arrived, the datagram fires its own hooks.
 *
 * local.h decides which ends of a packet are local. Time is packet time and never goes back; tick-N
 * and profile-N fire by it.
 */
#ifndef ENGINE_REPLAY_SOURCE_H
#define ENGINE_REPLAY_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/vm/vm.h"
#include "ir/program.h"

struct source;

struct replay_opts {
	const char *path;  /* "-": standard input; or an interface (replay_is_live()) */
	const char *local; /* -x local=; NULL: every host is local */
	/* -x filter=, in tcpdump's language: replays only matching packets; NULL: all */
	const char *filter;
	/* replays this many ns of packet time; 0: all */
	uint64_t duration;
	/* -x conns=: maximum number of TCP connections followed at once; 0: the default */
	uint32_t conns;
	uint64_t bufsize; /* an interface: bytes of the packet buffer; 0: the default */
	bool promiscuous; /* an interface: also packets for other machines */
	/* filters use the owner of packets: go() warns if the input cannot tell it */
	bool asks_owner;
	enum vm_mode mode; /* how units run */
	/*
	 * -x jobs=: maximum number of processes that share a file; 0: the number of CPUs, if the
	 * file is large
	 */
	uint32_t jobs;
	/*
	 * Gives up rights: called after the file is opened and before it is read; NULL: not called.
	 * If it returns false, the run ends with the error in @d.
	 */
	bool (*opened)(struct diag *d);
	FILE *progress; /* reports progress here if it is a terminal; NULL: no reports */
};

/*
 * Returns a source whose start() opens the file. The strings of @o are copied. The caller frees it
 * with ops->free.
 */
struct source *replay_source_new(const struct replay_opts *o);

/* Returns whether @path, an argument of -r, is the name of an interface, and of no file. */
bool replay_is_live(const char *path);

/* Returns whether replay can fire this hook. */
bool replay_has_hook(enum hook_kind kind, const char *target);

#endif
