/*
 * thread.h - names of the current thread, such as execname. At most probes of packets and
 * connections, the current thread is one that a packet or a timer interrupted. It is not the owner
 * of the socket, which args[1], a csinfo_t, describes.
 */
#ifndef COMPILER_MEANING_HINTS_THREAD_H
#define COMPILER_MEANING_HINTS_THREAD_H

#include <stdbool.h>

struct clause;
struct compiler;
struct expr;
struct type;

/*
 * Notes in c->typing that the program uses @name, a name of the library, if it is one of the
 * current thread. @lib is set if library text uses the name, which does not count.
 */
void thread_note(struct compiler *c, bool lib, const char *name);

/*
 * Notes in c->typing that the program uses @e, a member of the translated struct @t, if the member
 * describes the owner of a socket.
 */
void thread_note_owner(struct compiler *c, const struct expr *e, struct type *t);

/* Returns whether @name is a name of the current thread. In a capture there is no such thread. */
bool thread_is_named(const char *name);

/*
 * Returns the member of args[1] that the user probably means by @name, a name of the current
 * thread, at the probes of the clause: "args[1]->cs_execname". Returns NULL if @name is none, or if
 * the current thread is the right one there. @name ends at the first character that is no letter.
 */
const char *thread_owner(const struct compiler *c, const char *name);

/*
 * Adds one warning if the program uses a name of the current thread at a probe where this thread is
 * not the owner of the socket. @quiet returns whether the text of clause @cl is quiet; clauses of
 * such texts cause no warning.
 */
void thread_warn(struct compiler *c, bool (*quiet)(const void *ctx, const struct clause *cl),
		 const void *ctx);

#endif
