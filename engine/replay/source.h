/*
 * source.h - the event source that replays a capture file, or what an interface shows.
 *
 * One more kernel: it fills the structs of ksim.h from each packet and fires
 * the hooks that a Linux kernel would, in its order, on our virtual machine:
 *
 *	the sender's      replay send (TCP, UDP, UDP-Lite datagrams), cgroup_skb
 *	                  egress (IP packets), net_dev_queue
 *	the receiver's    netif_receive_skb, cgroup_skb ingress and replay receive
 *	                  (TCP, UDP, UDP-Lite datagrams)
 *
 * and between them those of TCP connections (tcp/track.h says when): state changes,
 * handshakes, refusals, resets, retransmissions, ends.
 *
 * A datagram is whole: fragments fire only what all packets do.
 *
 * Whose hooks fire is the business of local.h.  Time is packet time and never
 * goes back; tick-N and profile-N fire by it.
 */
#ifndef REPLAY_SOURCE_H
#define REPLAY_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/vm/vm.h"
#include "ir/program.h"

struct source;

struct replay_opts {
	const char *path;   /* "-": standard input; an interface (replay_is_live()) */
	const char *local;  /* -x local=; NULL: every host is local */
	const char *filter; /* -x filter=, in tcpdump's words: only such packets; NULL: all */
	/* ns of packet time from the first packet on that are replayed; 0: all */
	uint64_t duration;
	uint32_t conns;   /* -x conns=: TCP connections followed at a time; 0: the default */
	uint64_t bufsize; /* an interface: bytes of room for packets; 0: the default */
	bool promiscuous; /* an interface: packets for other machines, too */
	/* filters ask of whose packets are: if nothing can tell, that is said */
	bool asks_owner;
	enum vm_mode mode; /* how units run */
	/*
	 * -x jobs=: processes that share a file at most; 0: as many as there are CPUs, if it is
	 * large
	 */
	uint32_t jobs;
	/*
	 * Gives up rights: called when the file is open and nothing of it read; NULL: nothing.
	 * False: the run ends with the error in @d.
	 */
	bool (*opened)(struct diag *d);
	FILE *progress; /* reports go here if it is a terminal; NULL: none */
};

/*
 * A source whose start() opens the file.  The strings of @o are copied.  Freed
 * through its ops.
 */
struct source *replay_source_new(const struct replay_opts *o);

/* Is that, behind -r, the name of an interface to read from, and no file's? */
bool replay_is_live(const char *path);

/* Does replay ever fire this hook? */
bool replay_has_hook(enum hook_kind kind, const char *target);

#endif
