/*
 * strings.h - string expressions. gen_str() in eval.h writes one into a slot.
 */
#ifndef COMPILER_CODE_STRINGS_STRINGS_H
#define COMPILER_CODE_STRINGS_STRINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/text.h"
#include "compiler/syntax/ast.h"

struct compiler;
struct fire;

/* ---- compare.c ---- */

/* Jumps to @t if strings @x and @y compare as @op says, in the order of strcmp(); else to @f. */
void gen_str_order(struct fire *g, enum binary_op op, const struct expr *x, const struct expr *y,
		   int t, int f);

/* Jumps to @t if strings @x and @y are equal, else to @f. */
void gen_str_equal(struct fire *g, const struct expr *x, const struct expr *y, int t, int f);

/* ---- length.c ---- */

/* Returns a register with strlen(@e). */
int gen_strlen(struct fire *g, const struct expr *e);

/* ---- buffers.c ---- */

/*
 * Writes the characters of string @e to scratch memory, for a routine of text.h. Returns a register
 * with their address. NULL is a fault.
 */
int gen_chars(struct fire *g, const struct expr *e);

/* As gen_chars(), but writes to @d in scratch memory, which has room for a text of text.h. */
void gen_chars_at(struct fire *g, const struct expr *e, struct dest d);

/*
 * Prepares slot @d for characters: sets its tag, and zeros it if the slot asks for that. Returns a
 * register with the address of the first character.
 */
int gen_chars_into(struct fire *g, struct dest d);

/*
 * Copies the characters of string @e to memory of the clause, which keeps them until the clause
 * ends. Returns a register with their address; 0 if @e is NULL.
 */
int gen_str_address(struct fire *g, const struct expr *e);

/* Writes string @value and its NUL to lvalue @to, of type string, in memory. NULL is a fault. */
void gen_str_store(struct fire *g, const struct expr *to, const struct expr *value);

/*
 * Returns a register with byte @index of string @e: 0 after the string's end, a fault at or above
 * strsize.
 */
int gen_str_byte(struct fire *g, const struct expr *e, const struct expr *index);

/* Returns the firing's state of strtok(), see text.h. */
struct dest token_state(struct fire *g);

/* Allocates the state of strtok(), empty. Does nothing if the program has no strtok(). */
void token_init(struct fire *g);

/* Returns the size of the state of strtok() in bytes; 0 if the program has no strtok(). */
uint32_t token_size(const struct compiler *c);

/* ---- text_call.c ---- */

/* Returns a register with the address of TEXT_WORDS bytes of scratch memory, for a routine. */
int gen_words(struct fire *g);

/* Calls routine @r of text.h, for texts of sizes @s, with the @n (at most 5) registers at @reg. */
void gen_text(struct fire *g, enum text_routine r, struct text_size s, unsigned n, const int *reg);

/* ---- slot.c ---- */

/*
 * Returns the @n bytes that @e points to. If @e is the address of a member, as &hdr->saddr, the
 * memory is the member itself; bytes beyond the member are not loaded as a part of it.
 */
struct mem gen_pointed(struct fire *g, const struct expr *e, uint32_t n);

/*
 * Jumps to @quad if the IPv6 address at @m holds an IPv4 address in its last four bytes (mapped or
 * compatible), else to @groups. Returns the memory of those four bytes.
 */
struct mem gen_quad_or_groups(struct fire *g, struct mem m, int quad, int groups);

/*
 * Turns an IPv6 address of inet_ntop() in slot @d into an IPv4 address, if its text ends with an
 * IPv4 address.
 */
void slot_as_ip4(struct fire *g, struct dest d);

/* Writes the address at @m, of @n (4 or 16) bytes, into slot @d. */
void put_address_of(struct fire *g, struct dest d, struct mem m, unsigned n);

/* Returns a register with the value of @e, a base. A value that is not 2 to 36 is a fault. */
int gen_base(struct fire *g, const struct expr *e);

/*
 * Emits a test of the string in slot @d: the program jumps to @null if the string is NULL, else to
 * @some.
 */
void branch_null(struct fire *g, struct dest d, int null, int some);

/*
 * Writes the NULL string @e into slot @d, as d.null says. If d.null asks for a fault and @e is
 * library text, writes "" instead.
 */
void gen_str_null(struct fire *g, const struct expr *e, struct dest d);

/* ---- chars.c ---- */

/*
 * Writes the link address that @e points to as characters into slot @d: of Ethernet, or of
 * @infiniband.
 */
void gen_link_text(struct fire *g, const struct expr *e, bool infiniband, struct dest d);

/* Writes the IPv6 address that @e points to as characters into slot @d, by RFC 5952. */
void gen_strict_text(struct fire *g, const struct expr *e, struct dest d);

/* ---- enumname.c ---- */

/* Returns a register with the index in program.str of the name of enum value @e. */
int enumstr_index(struct fire *g, const struct expr *e);

#endif
