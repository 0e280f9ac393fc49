/*
 * strings.h - code for string expressions. gen_str() in eval.h writes the value of such an
 * expression into a slot, the memory for one string.
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
 * Writes the characters of string @e to scratch memory, as a text that the routines of text.h can
 * use. Returns a register with the address of the characters. NULL is a fault.
 */
int gen_chars(struct fire *g, const struct expr *e);

/* As gen_chars(), but writes to @d in scratch memory, which must have room for a text of text.h. */
void gen_chars_at(struct fire *g, const struct expr *e, struct dest d);

/*
 * Prepares slot @d for characters: sets its tag, and zeros the slot if @d.zero. Returns a register
 * with the address where the first character must be written.
 */
int gen_chars_into(struct fire *g, struct dest d);

/*
 * Copies the characters of string @e to memory allocated by the clause, which lives until the
 * clause ends. Returns a register with the address of the copy, or with 0 if @e is NULL.
 */
int gen_str_address(struct fire *g, const struct expr *e);

/*
 * Writes string @value with its NUL to lvalue @to, a string that is kept in memory as characters.
 * NULL is a fault.
 */
void gen_str_store(struct fire *g, const struct expr *to, const struct expr *value);

/*
 * Returns a register with byte @index of string @e. The byte is 0 after the end of the string. An
 * index of strsize or more is a fault.
 */
int gen_str_byte(struct fire *g, const struct expr *e, const struct expr *index);

/*
 * Returns the memory with the state of strtok() in this firing (one run of a probe's clauses); see
 * text.h.
 */
struct dest token_state(struct fire *g);

/*
 * Allocates the state of strtok() and makes it empty. Does nothing if the program has no strtok().
 */
void token_init(struct fire *g);

/* Returns the size of the state of strtok() in bytes; 0 if the program has no strtok(). */
uint32_t token_size(const struct compiler *c);

/* ---- text_call.c ---- */

/*
 * Reserves TEXT_WORDS bytes of scratch memory for the words of a routine (see text.h). Returns a
 * register with their address.
 */
int gen_words(struct fire *g);

/*
 * Calls routine @r of text.h with the @n (at most 5) registers at @reg as arguments. @s has the
 * maximum sizes of the texts.
 */
void gen_text(struct fire *g, enum text_routine r, struct text_size s, unsigned n, const int *reg);

/* ---- slot.c ---- */

/*
 * Returns the memory of the @n bytes that pointer @e points to. If @e is the address of a member,
 * such as &hdr->saddr, the memory is that member. If the @n bytes extend beyond the member, the
 * result has no owner (struct mem), because the verifier allows no such load from the member.
 */
struct mem gen_pointed(struct fire *g, const struct expr *e, uint32_t n);

/*
 * Jumps to @quad if the IPv6 address at @m has an IPv4 address in its last four bytes (is mapped or
 * compatible), else to @groups. Returns the memory of those four bytes.
 */
struct mem gen_quad_or_groups(struct fire *g, struct mem m, int quad, int groups);

/*
 * If slot @d has the form DSTR_NTOP6, replaces the IPv6 address by the IPv4 address in it. Call
 * this only for a slot with @d.zero: in other slots, an address of this form need not contain an
 * IPv4 address.
 */
void slot_as_ip4(struct fire *g, struct dest d);

/* Writes the address at @m, of @n (4 or 16) bytes, into slot @d. */
void put_address_of(struct fire *g, struct dest d, struct mem m, unsigned n);

/*
 * Returns a register with the value of @e, the base in which a number is written. A base that is
 * not from 2 to 36 is a fault.
 */
int gen_base(struct fire *g, const struct expr *e);

/*
 * Emits a test of the string in slot @d: the program jumps to @null if the string is NULL, else to
 * @some.
 */
void branch_null(struct fire *g, struct dest d, int null, int some);

/*
 * Writes string @e, which is NULL, into slot @d; @d.null says how. If @d.null asks for a fault and
 * @e is library text, writes "" instead.
 */
void gen_str_null(struct fire *g, const struct expr *e, struct dest d);

/* ---- chars.c ---- */

/*
 * Writes the link address that @e points to as characters into slot @d. It is an InfiniBand address
 * if @infiniband, else an Ethernet address.
 */
void gen_link_text(struct fire *g, const struct expr *e, bool infiniband, struct dest d);

/* Writes the IPv6 address that @e points to as characters into slot @d, in the form of RFC 5952. */
void gen_strict_text(struct fire *g, const struct expr *e, struct dest d);

/* ---- enumname.c ---- */

/* Returns a register with the index in program.str of the name of enum value @e. */
int enumstr_index(struct fire *g, const struct expr *e);

#endif
