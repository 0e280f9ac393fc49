/*
 * hint.h - what the user may have meant.  To be called right after the error.
 */
#ifndef COMPILER_HINT_H
#define COMPILER_HINT_H

struct compiler;
struct expr;
struct probe_desc;
struct type;

/* @d matches no probe. */
void hint_probe(struct compiler *c, const struct probe_desc *d);
/* @t has no member @name. */
void hint_member(struct compiler *c, const char *name, struct type *t);
/* @a and @b are incompatible operands, already typed. */
void hint_operands(struct compiler *c, const struct expr *a, const struct expr *b);
/* No such name: of an aggregating function, a function, a variable. */
void hint_aggregating(struct compiler *c, const char *name);
void hint_function(struct compiler *c, const char *name);
void hint_variable(struct compiler *c, const char *name);

#endif
