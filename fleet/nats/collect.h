/*
 * collect.h - reads the streams of all hosts as if they were one.
 *
 * Each host has streams of its own, so a host cannot fill the store for other hosts. A viewer asks
 * each stream for the next message of the run (JetStream's direct get), and asks again after a
 * while if there is none. So the viewer sets the speed, and the server has nothing to remember.
 */
#ifndef FLEET_NATS_COLLECT_H
#define FLEET_NATS_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/nats/net.h"

struct collect;
struct strbuf;

/*
 * Starts to read the streams whose names are @prefix followed by the name of a host. Reads all
 * messages whose subjects match @subject, but at most @most messages of each stream, and 20 more in
 * each second that passes. Streams that the server creates later are read too. The caller frees the
 * result with collect_free(), before it closes @n.
 */
struct collect *collect_new(struct net *n, const char *prefix, const char *subject, size_t most);
void collect_free(struct collect *c);

/* These functions do the same as net_reader_receive() and net_reader_is_done() in net.h. */
size_t collect_receive(struct collect *c, int64_t ms, net_fn *fn, void *ctx);
bool collect_is_done(struct collect *c);

/* Does the same as net_reader_cut() in net.h. */
bool collect_cut(const struct collect *c, struct strbuf *out);

#endif
