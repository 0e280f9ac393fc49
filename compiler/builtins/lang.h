/*
 * lang.h - the rows of D: what compiler_new() is given.
 */
#ifndef BUILTINS_LANG_H
#define BUILTINS_LANG_H

#include <stdbool.h>
#include <stdint.h>

struct action_def;
struct builtin_var;
struct lang;
struct subr;

/* All tables; the same at every call. */
const struct lang *dtrace_lang(void);

/* One table each, with the number of its rows. */
const struct builtin_var *var_rows(uint32_t *n);   /* vars.c */
const struct subr *subr_rows(uint32_t *n);         /* subrs.c */
const struct action_def *action_rows(uint32_t *n); /* actions.c */

/* never.c: why it will never be here; NULL: D has no such thing, or we have it. */
const char *why_never(const char *name);

/* consts.c: the number that D's libraries call so; false: none. */
bool constant_find(const char *name, int64_t *value);

#endif
