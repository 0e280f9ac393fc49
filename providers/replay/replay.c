/*
 * replay.c - hooks that exist only in replay.
 *
 * Some hooks of the kernel depend on things that a capture does not have. In their place, replay
 * fires an event of its own. All arguments are pointers to structs of engine/replay/ksim.h,
 * replay's copies of the kernel's structs. The data of an sk_buff begins at the IP header.
 * engine/replay/plan.c lists these hooks.
 */
#include <string.h>

#include "base/arena.h"
#include "providers/provider.h"
#include "ir/types/type.h"

#define MAX_ARGS 3

static const struct row {
	const char *name;
	/* tags of the structs that the arguments point to; NULL ends the list */
	const char *arg[MAX_ARGS];
} rows[] = {
	/*
	 * Fires once per complete TCP, UDP or UDP-Lite datagram, at its sender and at its receiver.
	 * A fragmented datagram fires the hook when its last missing fragment arrives.
	 */
	{"send", {"sk_buff", "sock"}},
	{"receive", {"sk_buff", "sock"}},
	/*
	 * Events of TCP handshakes. connect_request fires before the first SYN is sent.
	 * connect_established fires when the SYN+ACK is acknowledged; the packet is the SYN+ACK.
	 * connect_refused fires when a RST comes instead. accept_established fires when the child
	 * socket exists. accept_refused fires, without a socket, before a RST is sent in answer to
	 * a SYN.
	 */
	{"connect_request", {"sk_buff", "sock"}},
	{"connect_established", {"sk_buff", "sock"}},
	{"connect_refused", {"sk_buff", "sock"}},
	{"accept_established", {"sk_buff", "sock"}},
	{"accept_refused", {"sk_buff", "sock"}},
	/*
	 * The hooks with a protocol in their name fire before send and receive, with the same
	 * arguments.
	 */
	{"tcp_send", {"sk_buff", "sock"}},
	{"tcp_receive", {"sk_buff", "sock"}},
	/*
	 * Fire once for each DNS message that begins in a TCP segment: a query to port 53
	 * (dns_send) or a response from port 53 (dns_receive). They fire after tcp_send or
	 * tcp_receive, and before send or receive.
	 */
	{"dns_send", {"sk_buff", "sock", "replay_message"}},
	{"dns_receive", {"sk_buff", "sock", "replay_message"}},
	{"udp_send", {"sk_buff", "sock"}},
	{"udp_receive", {"sk_buff", "sock"}},
	{"udplite_send", {"sk_buff", "sock"}},
	{"udplite_receive", {"sk_buff", "sock"}},
	/*
	 * Fires before other events of a socket, if the capture contains the owner of the socket.
	 * The task has only a pid and a name. Fires again with pid -1 when the socket is closed.
	 */
	{"owner", {"sock", "task_struct", "replay_names"}},
};

#define NROWS (sizeof(rows) / sizeof(*rows))

static struct host_probe *make(struct host_env *e, unsigned i)
{
	const struct row *row = &rows[i];
	struct host_probe *p = arena_new(e->arena, struct host_probe);

	*p = (struct host_probe){ID_REPLAY + i, "replay", "vmlinux", "", row->name, {0}};
	p->hook.kind = HOOK_REPLAY;
	p->hook.target = row->name;
	p->hook.arg = arena_newn(e->arena, struct type *, MAX_ARGS);
	while (p->hook.narg < MAX_ARGS && row->arg[p->hook.narg]) {
		struct type *t = scope_find(e->kernel, TAG_STRUCT, row->arg[p->hook.narg]);

		p->hook.arg[p->hook.narg++] = type_ptr(e->arena, t);
	}
	p->hook.gated = p->hook.of_replay = p->hook.by_task = true;
	return p;
}

static struct host_probe *replay_find(struct host_env *e, const char *func, const char *name,
				      struct diag *d)
{
	(void)func, (void)d;
	for (unsigned i = 0; e->replay && i < NROWS; i++)
		if (!strcmp(rows[i].name, name))
			return make(e, i);
	return NULL;
}

static void replay_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	for (unsigned i = 0; e->replay && i < NROWS; i++)
		fn(ctx, make(e, i));
}

const struct host_provider provider_replay = {
	.name = "replay",
	.missing = NULL,
	.find = replay_find,
	.each = replay_each,
};
