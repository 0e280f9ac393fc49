/*
 * socket_table.h - a table of TCP sockets, which is faster than the kernel's storage of sockets.
 *
 * Creating and freeing the kernel's storage costs more than half a microsecond for each socket. So
 * programs enter a TCP socket in a table when it is made, and remove it when it ends. The table is
 * the only value of a map. An entry has the socket's address, as its key, and the arrays of the
 * library whose key is a socket. A socket has only one slot, which its address selects. If the slot
 * has another socket, the socket is not entered, and its values are in the kernel's storage.
 *
 * The library decides which sockets are entered: a socket whose end no program sees must not be.
 */
#ifndef COMPILER_CODE_MEMORY_SOCKET_TABLE_H
#define COMPILER_CODE_MEMORY_SOCKET_TABLE_H

#include <stdint.h>

struct fire;

/*
 * Returns the size in bytes of a table with @slots slots, whose values have @value_size bytes.
 */
uint32_t socket_table_size(uint32_t slots, uint32_t value_size);

/*
 * Jumps to block @found if the table has the socket in register @sk, else to block @none. Returns a
 * register with the address of the socket's value, for code after @found.
 */
int socket_table_search(struct fire *g, int sk, int found, int none);

/*
 * Enters the socket in register @sk, which is not NULL, if its slot is free. All bytes of the value
 * are 0 then.
 */
void socket_table_enter(struct fire *g, int sk);

/* Removes the socket in register @sk, if the table has it. */
void socket_table_leave(struct fire *g, int sk);

/*
 * Returns a register with a number that is not 0 if a program may have created storage of the
 * kernel for a socket. socket_table_spill() sets this number.
 */
int socket_table_spilled(struct fire *g);
void socket_table_spill(struct fire *g);

#endif
