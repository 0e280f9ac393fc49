/*
 * check.h - dtrace --check: reports which clauses of a script run on this machine.
 */
#ifndef CMD_CHECK_H
#define CMD_CHECK_H

#include <stdio.h>
#include <sys/types.h>

#include "cmd/options.h"

/*
 * Compiles the script @text with the options @o, and prints a line for each clause to @to. The line
 * says that the clause runs, or why it does not run and what to write instead. @name is the
 * script's name in messages. @target is the process that $target stands for, or -1. Returns 0 if
 * the whole script runs, else 1.
 */
int check_script(const struct cmd_opts *o, const char *name, const char *text, pid_t target,
		 FILE *to);

#endif
