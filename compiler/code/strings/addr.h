/*
 * addr.h - code for cidr( ) and net( ).
 */
#ifndef COMPILER_CODE_STRINGS_ADDR_H
#define COMPILER_CODE_STRINGS_ADDR_H

#include "compiler/code/memory/scratch.h"

struct expr;
struct fire;

/*
 * Returns a register with 1 if @address (a string, or a pointer to an address) lies in the literal
 * @network, else with 0. A string that is no address lies in no network. If @address may be any
 * text, records a compile error at its place in the program.
 */
int gen_cidr(struct fire *g, const struct expr *address, const struct expr *network);

/*
 * Returns a slot in scratch memory with the network of the call net(address, bits), in binary form.
 */
struct dest gen_net(struct fire *g, const struct expr *call);

#endif
