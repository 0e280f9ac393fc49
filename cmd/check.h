/*
 * check.h - dtrace --check: what of a script runs here.
 */
#ifndef CMD_CHECK_H
#define CMD_CHECK_H

#include <stdio.h>
#include <sys/types.h>

#include "cmd/options.h"

/*
 * Compiles the script in @text (called @name) as the options say, clause by clause: what does
 * not compile is told, with what to write instead, and taken out, until the rest does.  A
 * line for each clause on @to. @target is the process of $target, -1 if there is none. 0: all
 * of it runs, 1: not all does.
 */
int check_script(const struct cmd_opts *o, const char *name, const char *text, pid_t target,
		 FILE *to);

#endif
