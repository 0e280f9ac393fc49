/*
 * filter.h - filters (-x port=, pid= ...): at which probes they are asked, and with what.
 *
 * cmd/filter.c writes all filters as one inline in D.  Each hook of a filtered probe calls it with
 * the probe's native arguments, after the guard.  Without filters there is no such call.
 */
#ifndef COMPILER_MEANING_FILTER_H
#define COMPILER_MEANING_FILTER_H

#include <stdbool.h>

#include "base/diag.h"

struct compiler;
struct expr;
struct probe;

#define FILTER_TASK "__filter_task" /* the inline that says which processes are wanted */
#define FILTER "__filter" /* the inline that says which packets and connections are wanted */

/* Is the probe about packets or connections, so that filters apply to it? */
bool probe_is_filtered(const struct probe *p);

/*
 * The values that the filters need and that probe @p, which is filtered, declares no native
 * argument for, in words. NULL: the filters find all of them. A probe without a packet lacks
 * nothing if it has a socket.
 */
const char *probe_filter_lacks(struct compiler *c, const struct probe *p);

/* Is the probe about the running process, so that filters of processes apply to it? */
bool probe_is_of_process(const struct probe *p);

/*
 * The filters' condition at a hook of @p, for packets or processes: an expression at @loc, without
 * types. NULL: no filter applies.
 */
struct expr *probe_filter(struct compiler *c, const struct probe *p, struct loc loc);

/*
 * Does one of its hooks have the socket, so that the packet's owner may be known?  @p is resolved.
 */
bool probe_has_owner(const struct probe *p);

#endif
