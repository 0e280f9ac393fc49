/*
 * filter.h - filters (-x port=, pid= ...): the probes that they apply to, and their arguments.
 *
 * cmd/filter.c writes all filters as one inline in D. Each hook of a filtered probe calls the
 * inline with the probe's native arguments, after the guard. Without filters no hook has a call.
 */
#ifndef COMPILER_MEANING_PROBES_FILTER_H
#define COMPILER_MEANING_PROBES_FILTER_H

#include <stdbool.h>

#include "base/diag.h"

struct compiler;
struct expr;
struct probe;

#define FILTER_TASK "__filter_task" /* inline: condition on the process */
#define FILTER "__filter"           /* inline: condition on the packet or connection */

/* Returns whether the probe is about packets or connections, so that filters apply to it. */
bool probe_is_filtered(const struct probe *p);

/*
 * Returns, as text for a message, the values that the filters need and that probe @p does not pass
 * as native arguments. NULL: the filters find all values. A probe without a packet lacks nothing if
 * it has a socket.
 */
const char *probe_filter_lacks(struct compiler *c, const struct probe *p);

/* Returns whether the probe is about the running process, so that process filters apply to it. */
bool probe_is_of_process(const struct probe *p);

/*
 * Returns the condition of the filters at a hook of @p, for packets or processes: an untyped
 * expression at @loc. NULL: no filter applies.
 */
struct expr *probe_filter(struct compiler *c, const struct probe *p, struct loc loc);

/*
 * Returns whether one of the hooks of @p, which is resolved, has the socket, so that the packet's
 * owner may be known.
 */
bool probe_has_owner(const struct probe *p);

/* Returns whether hooks of @p, which is resolved, have a packet and its IP header. */
bool probe_has_packet(const struct probe *p);

#endif
