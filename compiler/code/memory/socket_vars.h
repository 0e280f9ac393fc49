/*
 * socket_vars.h - finds the memory of a socket, where arrays of the library with that key are kept.
 */
#ifndef COMPILER_CODE_MEMORY_SOCKET_VARS_H
#define COMPILER_CODE_MEMORY_SOCKET_VARS_H

struct expr;
struct fire;

/*
 * Return a register with the address of the memory of the socket that is the key of element @e, or
 * with 0. That is the entry in the table of sockets, or else the kernel's storage.
 * socket_find() returns 0 if the socket has neither, is NULL, or is a small socket (TIME_WAIT).
 * socket_make() creates missing storage, so for a full socket it returns 0 only if the kernel has
 * no memory. If the key is __entered(sk), both only look into the table.
 */
int socket_find(struct fire *g, const struct expr *e);
int socket_make(struct fire *g, const struct expr *e);

/*
 * Gives the socket of expression @child a copy of the memory of socket @from (a register), if the
 * table has @from. Returns a register that is 1 if @child is in the table now, else 0.
 */
int socket_inherit(struct fire *g, const struct expr *child, int from);

/*
 * socket_entry() returns a register with the address of the memory of socket @sk (a register) in
 * the table of sockets, or with 0. socket_enter() enters the socket if its slot is free.
 * socket_leave() removes the socket. If nothing is kept for sockets, there is no table.
 */
int socket_entry(struct fire *g, int sk);
void socket_enter(struct fire *g, int sk);
void socket_leave(struct fire *g, int sk);

#endif
