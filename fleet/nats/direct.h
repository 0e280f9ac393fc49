/*
 * direct.h - reads a stream message by message, without a consumer.
 *
 * A host may not create consumers: each takes memory of the server, and nothing would bound their
 * number. So a host asks for the next message by its number (JetStream's direct get); the server
 * remembers nothing about such requests. A subscription to NEWS (net.h) tells the host when to ask.
 *
 * In a cluster, any server with a copy of the stream may answer, and its copy may lack the last
 * messages. So the host also asks for the number of the last message, which the leader answers.
 */
#ifndef FLEET_NATS_DIRECT_H
#define FLEET_NATS_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/nats/net.h"

struct direct;

/*
 * Starts to read @stream at message number @from. @subject is a pattern for the subjects to read,
 * or NULL for all. After a lost connection, continues with the next message. If the stream was
 * deleted and created again, begins with the first message of the new stream. The caller frees the
 * result with direct_free(), before it closes @n.
 */
struct direct *direct_new(struct net *n, const char *stream, const char *subject, uint64_t from);
void direct_free(struct direct *d);

/* These functions do what net_reader_receive() and net_reader_is_done() do (net.h). */
size_t direct_receive(struct direct *d, int64_t ms, net_fn *fn, void *ctx);
bool direct_is_done(struct direct *d);
uint64_t direct_at(const struct direct *d);

#endif
