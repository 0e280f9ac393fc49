/*
 * doubt.h - warnings about programs that compile and probably do not mean what they say.
 */
#ifndef COMPILER_MEANING_HINTS_DOUBT_H
#define COMPILER_MEANING_HINTS_DOUBT_H

#include <stdbool.h>

struct compiler;
struct expr;
struct type;

/*
 * Adds a warning for each place in the enabled clauses that compares a value with a constant that
 * the value never has, at no probe of the clause. All texts must have been type-checked.
 */
void compare_warn(struct compiler *c);

/*
 * thread.c finds names of the current thread, such as execname, where the program takes that thread
 * for the owner of a socket, which args[1] describes. At most probes of packets and connections the
 * thread is one that a packet or a timer interrupted.
 *
 * thread_note() notes in c->typing that the program uses @name, and thread_note_owner() that it
 * uses member @name of the translated struct @t. Names that mean nothing of the kind are ignored.
 */
void thread_note(struct compiler *c, const char *name);
void thread_note_owner(struct compiler *c, const char *name, struct type *t);

/* Returns whether @name is a name of the current thread. */
bool thread_is_named(const char *name);

/*
 * Returns the member of args[1] that the user probably means by the first word of @name, a name of
 * the current thread: "args[1]->cs_execname". Returns NULL if the word is no such name, or if the
 * thread is the owner at the probes of the clause.
 */
const char *thread_owner(const struct compiler *c, const char *name);

/*
 * Adds one warning if a clause uses such a name (en->thread) and asks for nothing similar of the
 * owner.
 */
void thread_warn(struct compiler *c);

#endif
