/*
 * socket_at.h - whether the kernel can find the storage of a socket that an expression denotes.
 *
 * The kernel can keep memory of programs with a socket (BPF_MAP_TYPE_SK_STORAGE): it frees the
 * memory with the socket, and copies it to the child of a listener. So the library keeps facts
 * about sockets, such as their owners, in arrays whose key is a socket. But a program can find the
 * storage only if the verifier knows that its pointer leads to a socket. __keeps is 1 if the
 * verifier knows this of every socket whose facts the program reads. If __keeps is 0, the library
 * keeps the facts in hashes by the sockets' cookies.
 */
#ifndef COMPILER_MEANING_PROBES_SOCKET_AT_H
#define COMPILER_MEANING_PROBES_SOCKET_AT_H

#include <stdbool.h>

struct compiler;
struct enabling;
struct expr;
struct hook_use;
struct stmt;
struct var;

/* Returns whether @e is always NULL or the socket that belongs to the context of the program. */
bool socket_is_of_ctx(const struct hook_use *use, const struct expr *e);

/*
 * Returns whether @e, a pointer that is not NULL, is certainly a full socket, not one in TIME_WAIT.
 */
bool socket_is_full(const struct hook_use *use, const struct expr *e);

/* Returns whether variable @v is an array whose only key is a socket. */
bool socket_is_key(const struct var *v);

/*
 * If @key, the key of an array, is __entered(sk), returns the expression sk, else NULL. Such an
 * array is only looked up in the table of sockets (code/memory/socket_table.h), which needs no
 * storage.
 */
const struct expr *socket_entered(const struct expr *key);

/*
 * Returns whether the storage of each socket that the clause uses as a key can be found at every
 * probe of @en. @body has the actions of the clause.
 */
bool socket_finds_all(const struct enabling *en, struct stmt *body);

/*
 * Decides what __keeps means. The clauses of the program must have their types; hidden clauses
 * (clauses of the library) are enabled afterwards, by hidden_enable().
 */
void socket_decide(struct compiler *c);

#endif
