/* lang.h - the tables of variables, subroutines and actions, which compiler_new() gets. */
#ifndef COMPILER_BUILTINS_LANG_H
#define COMPILER_BUILTINS_LANG_H

#include <stdbool.h>
#include <stdint.h>

struct action_def;
struct builtin_var;
struct lang;
struct subr;

/* Returns all tables in one struct. Each call returns the same pointer. */
const struct lang *dtrace_lang(void);

/* Each of these functions returns a table, and sets *@n to its number of rows. */
const struct builtin_var *var_rows(uint32_t *n);   /* vars.c */
const struct subr *subr_rows(uint32_t *n);         /* subrs.c */
const struct action_def *action_rows(uint32_t *n); /* actions.c */

/*
 * In never.c: returns why Linux cannot have @name. Returns NULL if D has no such name, or if dtrace
 * has it.
 */
const char *why_never(const char *name);

/*
 * In consts.c: finds the value of a constant of D's libraries. Returns false if there is no such
 * constant.
 */
bool constant_find(const char *name, int64_t *value);

#endif
