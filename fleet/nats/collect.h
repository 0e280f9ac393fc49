/*
 * collect.h - reads the streams of all hosts as if they were one.
 *
 * Each host has streams of its own, so a host cannot use up the room of other hosts. A viewer asks
 * each stream for the next message of the run (JetStream's direct get). If the stream has none, the
 * viewer asks again after a while. So the viewer controls the speed, and the server keeps no state.
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
 * messages whose subjects match @subject. Also reads streams that are created later. Stops reading
 * a stream whose host sends too much: when the reader is t seconds old, it has read at most @most +
 * 20 * t messages of each stream. The caller frees the result with collect_free(), before it closes
 * @n.
 */
struct collect *collect_new(struct net *n, const char *prefix, const char *subject, size_t most);
void collect_free(struct collect *c);

/* These functions do the same as net_reader_receive() and net_reader_is_done() in net.h. */
size_t collect_receive(struct collect *c, int64_t ms, net_fn *fn, void *ctx);
bool collect_is_done(struct collect *c);

/* Does the same as net_reader_cut() in net.h. */
bool collect_cut(const struct collect *c, struct strbuf *out);

#endif
