/*
 * process.h - what rows ask of the process that a probe fires in.
 */
#ifndef BUILTINS_PROCESS_H
#define BUILTINS_PROCESS_H

#include <stdbool.h>

#include "base/diag.h"

struct fire;

/*
 * Is what runs at the hook about the current task?  If not records that @what, at @at, cannot be
 * used there, as programs at such hooks @cannot: "send no signals".
 */
bool by_task(struct fire *g, struct loc at, const char *what, const char *cannot);

#endif
