/*
 * declare.h - checks definitions when they are declared, and types hooks of derivations.
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_DECLARE_H
#define COMPILER_MEANING_TYPING_NAMES_DECLARE_H

struct compiler;
struct decl_inline;
struct hook_on;
struct hook_use;
struct host_probe;
struct probe;
struct provider_decl;
struct translator;

/* Each returns 0, or -1 with the error recorded. */

/* Checks inline @in, whose name is not known yet. */
int sema_inline(struct compiler *c, struct decl_inline *in);

/* Checks a translator, a program's completely, and makes it known. */
int sema_translator(struct compiler *c, struct translator *x);

/* Checks that each argument of each probe has a translator for its native arguments. */
int sema_provider(struct compiler *c, const struct provider_decl *pd);

/*
 * Types the guard, the native arguments and the filter of probe @p at hook @h, as in @on, on clones
 * of the expressions. Fills in @out.
 */
int sema_hook(struct compiler *c, struct probe *p, const struct hook_on *on, struct host_probe *h,
	      struct hook_use *out);

#endif
