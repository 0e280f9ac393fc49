/*
 * socket_table.h - the table of TCP sockets, with what the library remembers about each socket.
 *
 * The kernel can keep storage with a socket, but creating and freeing this storage costs more than
 * half a microsecond. So programs enter a TCP socket in this table when the socket is made, and
 * remove it when the socket ends. The table is the only value of a map. An entry has the address of
 * the socket, which is its key, and a value: the elements of all arrays of the library whose key is
 * this socket.
 *
 * The address of a socket selects its slot. If another socket is in the slot, the new socket is not
 * entered, and its value is in the kernel's storage.
 *
 * The library chooses the sockets that it enters. It must not enter a socket whose end no program
 * sees.
 */
#ifndef COMPILER_CODE_MEMORY_SOCKET_TABLE_H
#define COMPILER_CODE_MEMORY_SOCKET_TABLE_H

#include <stdint.h>

struct fire;

/* Returns the size of a table in bytes. */
uint32_t socket_table_size(uint32_t slots, uint32_t value_size);

/*
 * Jumps to block @found if the table has the socket in register @sk, else to block @none. Returns a
 * register with the address of the socket's value, for code after @found.
 */
int socket_table_search(struct fire *g, int sk, int found, int none);

/* Enters the socket in register @sk (not NULL) with a value of zeros, if its slot is free. */
void socket_table_enter(struct fire *g, int sk);

/* Removes the socket in register @sk, if the table has it. */
void socket_table_leave(struct fire *g, int sk);

/*
 * socket_table_spill() records that some socket may have storage of the kernel. Call it before you
 * create storage. socket_table_spilled() returns a register with 0 if nothing was recorded; in that
 * case, there is no storage to look up.
 */
int socket_table_spilled(struct fire *g);
void socket_table_spill(struct fire *g);

#endif
