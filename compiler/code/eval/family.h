/*
 * family.h - probes that differ by a number.
 */
#ifndef COMPILER_CODE_EVAL_FAMILY_H
#define COMPILER_CODE_EVAL_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/code/memory/mem.h"

struct compiler;
struct expr;
struct family;
struct fire;
struct probe;

/* Gives host probe @p, which is enabled now, its number in its family. */
void family_join(struct compiler *c, struct probe *p);

/* Sets g->number to the number of the probe that fires. Jumps to @skip if no probe has it. */
void family_number(struct fire *g, int skip);

/*
 * As family_number(), without a test. For a number that the family is sure to have, or that is only
 * compared with one probe's.
 */
void family_one(struct fire *g);

/* Returns a register with the cookie that a host probe was attached with. */
int family_cookie(struct fire *g);

/*
 * Returns a register: 1 + the index of the probe that fires among the @n probes at @p. Jumps to
 * @skip if it is none of them.
 */
int family_which(struct fire *g, struct probe **p, uint32_t n, int skip);

/* Returns whether string @e is a part of the probe's name that is only known at run time. */
bool family_names_it(const struct fire *g, const struct expr *e);

/* If family_names_it(): returns a register with the index of name @e in program.str. */
int family_name(struct fire *g, const struct expr *e);

/* If family_names_it(): returns the characters of name @e, *@size bytes with NULs at the end. */
struct mem family_chars(struct fire *g, const struct expr *e, uint32_t *size);

/* If family_names_it(): jumps to @t if name @e is @s, else to @f. */
void family_equal(struct fire *g, const struct expr *e, const char *s, int t, int f);

/* Returns a register with the ID of the probe that fires. */
int family_id(struct fire *g);

/* Returns the number of rows of a table that is indexed by the probe's number in the family. */
uint32_t family_rows(const struct family *f);

/*
 * Returns a register with the contents of the row of the probe that fires. @table has family_rows()
 * rows of @size bytes, and must live as long as the program.
 */
int family_look(struct fire *g, const void *table, unsigned size);

#endif
