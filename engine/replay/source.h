/*
 * source.h - the event source that replays a capture file, or the packets of an interface.
 *
 * Replay acts like a kernel. It fills the structs of ksim.h from each packet, and runs the D
 * program's units in a virtual machine, at the hooks of a Linux kernel and in the kernel's order:
 *
 *	at the sender      replay send (TCP, UDP, UDP-Lite datagrams), cgroup_skb
 *	                   egress (IP packets), net_dev_queue
 *	at the receiver    netif_receive_skb, cgroup_skb ingress and replay receive
 *	                   (TCP, UDP, UDP-Lite datagrams)
 *
 * Hooks of TCP connections fire between these hooks (tcp/track.h): state changes, handshakes,
 * refusals, resets, retransmissions, and ends of connections.
 *
 * A fragment is no datagram: it fires only the hooks of frames and of IP packets. Once all
 * fragments have arrived, the datagram fires its own hooks.
 *
 * local.h decides which ends of a packet are local. The time of a replay is the time of its
 * packets. It never goes back, and it decides when tick-N and profile-N fire.
 */
#ifndef ENGINE_REPLAY_SOURCE_H
#define ENGINE_REPLAY_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/vm/vm.h"
#include "ir/program.h"

struct source;

struct replay_opts {
	/*
	 * path of the capture file; "-" for standard input; or the name of an interface (see
	 * replay_is_live())
	 */
	const char *path;
	const char *local; /* value of -x local=; NULL if it is not given */
	/*
	 * value of -x filter=, in tcpdump's language; only matching packets are replayed, or all if
	 * NULL
	 */
	const char *filter;
	/* length of packet time to replay, in ns; 0 for the whole capture */
	uint64_t duration;
	/*
	 * value of -x conns=, the maximum number of TCP connections that are followed at the same
	 * time; 0 for the default
	 */
	uint32_t conns;
	/* for an interface: size of the packet buffer in bytes, or 0 for the default */
	uint64_t bufsize;
	bool promiscuous; /* for an interface: also capture packets for other machines */
	/* filters use the owner of packets, so start() sets a warning if the input has no owners */
	bool asks_owner;
	enum vm_mode mode; /* how units run */
	/*
	 * value of -x jobs=, the maximum number of processes that share a file; 0 for up to one
	 * process per CPU if the file is large
	 */
	uint32_t jobs;
	/*
	 * Function that gives up rights of this process, or NULL. start() calls it after the file
	 * is opened and before it is read. If it returns false, the run ends with the error in @d.
	 */
	bool (*opened)(struct diag *d);
	/* stream for progress reports, used only if it is a terminal; NULL for no reports */
	FILE *progress;
};

/*
 * Returns a source whose start() opens the file. The strings of @o are copied. The caller frees it
 * with ops->free.
 */
struct source *replay_source_new(const struct replay_opts *o);

/*
 * Returns whether @path, an argument of -r, is the name of an interface and not the name of a file.
 */
bool replay_is_live(const char *path);

/* Returns whether replay can fire this hook. */
bool replay_has_hook(enum hook_kind kind, const char *target);

#endif
