/*
 * process.h - checks that the hook of a probe is about the current process, as some actions need.
 */
#ifndef COMPILER_BUILTINS_PROCESS_H
#define COMPILER_BUILTINS_PROCESS_H

#include <stdbool.h>

#include "base/diag.h"

struct fire;

/*
 * Returns whether the hook is about the current task. If not, records an error at @at. @what names
 * the action or subroutine that needs that task, such as "copyout( )". @cannot is the end of the
 * message, such as "send no signals" after "programs at its hook ...".
 */
bool by_task(struct fire *g, struct loc at, const char *what, const char *cannot);

#endif
