/*
 * socket_vars.h - finds the storage of a socket, where arrays of the library with that key are
 * kept.
 */
#ifndef COMPILER_CODE_MEMORY_SOCKET_VARS_H
#define COMPILER_CODE_MEMORY_SOCKET_VARS_H

struct expr;
struct fire;
struct var;

/*
 * Return a register with the address of the storage of the socket that is the key of element @e of
 * @v, or with 0. socket_find() returns 0 if the socket has no storage, is NULL, or is a small
 * socket (TIME_WAIT). socket_make() creates missing storage, so for a full socket it returns 0 only
 * if the kernel has no memory.
 */
int socket_find(struct fire *g, const struct var *v, const struct expr *e);
int socket_make(struct fire *g, const struct var *v, const struct expr *e);

#endif
