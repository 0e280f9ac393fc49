/*
 * filter.h - finds the probes that filters (-x port=, pid= ...) apply to, and the arguments of the
 * filters.
 *
 * cmd/filter.c writes the filters as D expressions, and libraries.c makes inlines of these: FILTER
 * for probes with packets or sockets, FILTER_TASK for probes about processes. Each hook of a
 * filtered probe tests one of them after the hook's guard (its condition). FILTER gets the native
 * arguments of the probe, or of the probe that it derives from, as for counters of mib. Without
 * filters, no hook has such a test.
 */
#ifndef COMPILER_MEANING_PROBES_FILTER_H
#define COMPILER_MEANING_PROBES_FILTER_H

#include <stdbool.h>

#include "base/diag.h"

struct compiler;
struct expr;
struct hook_on;
struct probe;

#define FILTER_TASK "__filter_task" /* name of the inline with the condition on the process */
/* name of the inline with the condition on the packet or connection */
#define FILTER "__filter"

/* Returns whether the probe is about packets or connections, so that filters apply to it. */
bool probe_is_filtered(const struct probe *p);

/*
 * Returns the first value that the filters need and that the native arguments of @p do not have, as
 * text for a message. Returns NULL if the filters find all values. A probe with a socket and
 * without a packet lacks nothing.
 */
const char *probe_filter_lacks(struct compiler *c, const struct probe *p);

/* Returns whether the probe is about the running process, so that process filters apply to it. */
bool probe_is_of_process(const struct probe *p);

/*
 * Returns the condition of the filters at a hook of @p, as an expression at @loc without types.
 * Returns NULL if no filter applies to @p.
 */
struct expr *probe_filter(struct compiler *c, const struct probe *p, struct loc loc);

/*
 * Returns the condition of the filters for a probe that derives from @p and has no packet or
 * connection among its own native arguments. @on is a hook of @p. The condition, without types,
 * reads the native arguments that @p has at @on. Returns NULL if no filter applies to @p.
 */
struct expr *probe_filter_at(struct compiler *c, const struct probe *p, const struct hook_on *on);

/*
 * Returns whether at least one hook of @p has the socket, so that the packet's owner may be known.
 * The hooks of @p must be resolved.
 */
bool probe_has_owner(const struct probe *p);

/*
 * Returns whether @p has a packet and its IP header: at all of its hooks, or at some if @all is not
 * set. The hooks of @p must be resolved.
 */
bool probe_has_packet(const struct probe *p, bool all);

/*
 * Returns whether @p always has what filter @filter tests, an address or port. If not, it reads
 * that from the socket, which need not be connected. The hooks must be resolved.
 */
bool probe_has_ends(const struct probe *p, const char *filter);

#endif
