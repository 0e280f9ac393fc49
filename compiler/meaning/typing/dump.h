/*
 * dump.h - typed trees as text.
 */
#ifndef COMPILER_MEANING_TYPING_DUMP_H
#define COMPILER_MEANING_TYPING_DUMP_H

struct compiler;
struct strbuf;

/* Appends all enabled clauses, hidden ones too, to @out, for -x dump=typed. */
void sema_dump(struct compiler *c, struct strbuf *out);

#endif
