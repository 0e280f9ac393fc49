/*
 * symbol.h - kernel symbols: mod`name.
 */
#ifndef COMPILER_SYMBOL_H
#define COMPILER_SYMBOL_H

struct compiler;
struct decl_var;
struct expr;

/*
 * @e, a scoped name, becomes the value at that address of the kernel; a function becomes its
 * address.
 */
int sema_symbol(struct compiler *c, struct expr *e);

/* @e, & of a scoped name, becomes the symbol's address, also where nobody knows its type. */
int sema_symbol_address(struct compiler *c, struct expr *e);

/* extern T name: the kernel's symbol is of that type.  0, or -1 with the error recorded. */
int symbol_declare(struct compiler *c, const struct decl_var *dv);

/* The program's own declaration of @name with extern; NULL: it has none. */
const struct decl_var *symbol_declared(struct compiler *c, const char *name);

#endif
