/*
 * family.h - families. A family is the set of probes of one hook that share one unit (eBPF program)
 * and differ only by a number, such as system calls.
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

/*
 * Gives host probe @p (a kernel hook itself), which is being enabled, the next number in its
 * family.
 */
void family_join(struct compiler *c, struct probe *p);

/*
 * Sets g->number to a register with the number of the probe that fires. Emits a jump to @skip for a
 * number that no probe of the family has.
 */
void family_number(struct fire *g, int skip);

/*
 * Like family_number(), but emits no test and no jump. Call this only if every possible number
 * belongs to a probe of the family, or if the number is only compared with that of one probe.
 */
void family_one(struct fire *g);

/* Returns a register with the firing host probe's cookie: a number given when it was attached. */
int family_cookie(struct fire *g);

/*
 * Returns a register with 1 + the index of the firing probe among the @n probes at @p. Emits a jump
 * to @skip for a firing probe that is not among them.
 */
int family_which(struct fire *g, struct probe **p, uint32_t n, int skip);

/*
 * Returns whether the value of @e, a built-in variable such as probefunc, differs between the
 * probes of the family. The value is then only known at run time.
 */
bool family_names_it(const struct fire *g, const struct expr *e);

/*
 * Call this only if family_names_it() returns true. Returns a register with the index of name @e in
 * program.str.
 */
int family_name(struct fire *g, const struct expr *e);

/*
 * Call this only if family_names_it() returns true. Returns the memory with the characters of name
 * @e. The memory has *@size bytes, with NULs after the name.
 */
struct mem family_chars(struct fire *g, const struct expr *e, uint32_t *size);

/*
 * Call this only if family_names_it() returns true. Jumps to @t if name @e is equal to @s, else to
 * @f.
 */
void family_equal(struct fire *g, const struct expr *e, const char *s, int t, int f);

/* Returns a register with the ID of the probe that fires. */
int family_id(struct fire *g);

/* Returns the number of rows of a table that is indexed by the probe's number in the family. */
uint32_t family_rows(const struct family *f);

/*
 * Returns a register with the contents of one row of @table: the row of the probe that fires.
 * @table has family_rows() rows of @size bytes, and must live as long as the program.
 */
int family_look(struct fire *g, const void *table, unsigned size);

#endif
