/*
 * socket_vars.h - finds the memory of a socket. This memory has the elements, for this socket, of
 * all arrays of the library whose key is a socket.
 */
#ifndef COMPILER_CODE_MEMORY_SOCKET_VARS_H
#define COMPILER_CODE_MEMORY_SOCKET_VARS_H

struct expr;
struct fire;

/*
 * Return a register with the address of the memory of a socket, or with 0. The socket is the key of
 * @e, an element of an array. The memory is the socket's entry in the table of sockets, or else the
 * storage that the kernel keeps for the socket.
 *
 * socket_find() returns 0 if the socket has no memory, is NULL, or is a small socket (TIME_WAIT).
 * socket_make() creates missing storage. So for a full socket it returns 0 only if the kernel has
 * no memory left. If the key is written as __entered(sk), both functions look in the table only.
 */
int socket_find(struct fire *g, const struct expr *e);
int socket_make(struct fire *g, const struct expr *e);

/*
 * Copies the memory of socket @from (register) to the memory of socket @child, if the table has
 * @from. Returns a register with 1 if the copy is in the table, else with 0.
 */
int socket_inherit(struct fire *g, const struct expr *child, int from);

/*
 * socket_entry() returns a register with the address of the entry of socket @sk (register) in the
 * table of sockets, or with 0. socket_enter() enters the socket if its slot is free. socket_leave()
 * removes the socket. If the program keeps nothing for sockets, there is no table, and no socket
 * has an entry.
 */
int socket_entry(struct fire *g, int sk);
void socket_enter(struct fire *g, int sk);
void socket_leave(struct fire *g, int sk);

#endif
