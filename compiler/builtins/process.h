/*
 * process.h - a check for actions and subroutines that work on the current process.
 */
#ifndef COMPILER_BUILTINS_PROCESS_H
#define COMPILER_BUILTINS_PROCESS_H

#include <stdbool.h>

#include "base/diag.h"

struct fire;

/*
 * Returns whether programs at the hook run in the thread that the probe is about. If not, records
 * an error at @at: "@user cannot be used in PROBE: a program at the hook HOOK @cannot". @user is an
 * action or subroutine, such as "copyout( )", and @cannot is, for example, "cannot send signals".
 */
bool by_task(struct fire *g, struct loc at, const char *user, const char *cannot);

#endif
