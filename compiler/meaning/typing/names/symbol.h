/*
 * symbol.h - finds the addresses and types of kernel symbols: mod`name.
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_SYMBOL_H
#define COMPILER_MEANING_TYPING_NAMES_SYMBOL_H

struct compiler;
struct decl_var;
struct expr;

/*
 * Replaces @e, the name of a kernel symbol, by the value at the symbol's address, or by the address
 * if the symbol is a function. Returns 0, or -1 with the error recorded.
 */
int sema_symbol(struct compiler *c, struct expr *e);

/*
 * Replaces @e, the operator & and a kernel symbol, by the symbol's address, even if the type of the
 * symbol is unknown. Returns 0, or -1 with the error recorded.
 */
int sema_symbol_address(struct compiler *c, struct expr *e);

/* Records the type of a kernel symbol: extern T name. Returns 0, or -1 with the error recorded. */
int symbol_declare(struct compiler *c, const struct decl_var *dv);

/* Returns the program's own declaration of @name with extern, or NULL. */
const struct decl_var *symbol_declared(struct compiler *c, const char *name);

#endif
