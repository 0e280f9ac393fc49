/*
 * stmt.h - type-checks statements and predicates.
 */
#ifndef COMPILER_MEANING_TYPING_STMT_H
#define COMPILER_MEANING_TYPING_STMT_H

struct compiler;
struct expr;
struct stmt;

/* Type-checks a list of statements. Returns 0, or -1 with the error recorded. */
int sema_stmts(struct compiler *c, struct stmt *s);

/* Type-checks a predicate. Returns 0, or -1 with the error recorded. */
int sema_predicate(struct compiler *c, struct expr *e);

#endif
