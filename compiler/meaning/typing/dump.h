/*
 * dump.h - prints syntax trees with their types.
 */
#ifndef COMPILER_MEANING_TYPING_DUMP_H
#define COMPILER_MEANING_TYPING_DUMP_H

struct compiler;
struct strbuf;

/* Appends all enabled clauses to @out, hidden clauses of the library too, for -x dump=typed. */
void sema_dump(struct compiler *c, struct strbuf *out);

#endif
