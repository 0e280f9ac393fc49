/*
 * declare.h - type-checks inlines and translators when they are declared, and the hooks of
 * derivations. A derivation says which hooks fire a probe.
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

/* Each function returns 0, or -1 with the error recorded. */

/* Checks inline @in. The names table must not have its name yet. */
int sema_inline(struct compiler *c, struct decl_inline *in);

/*
 * Checks a translator and adds it to the names. If the translator is in a library text, only the
 * names of its members are checked, and their definitions later, where they are used.
 */
int sema_translator(struct compiler *c, struct translator *x);

/* Checks that each translated argument of a probe has a translator for its native arguments. */
int sema_provider(struct compiler *c, const struct provider_decl *pd);

/*
 * Type-checks copies of the expressions that @on has for probe @p at hook @h: the guard
 * (condition), the thread and the native arguments. Type-checks the filter too. Fills in @out.
 */
int sema_hook(struct compiler *c, struct probe *p, const struct hook_on *on, struct host_probe *h,
	      struct hook_use *out);

#endif
