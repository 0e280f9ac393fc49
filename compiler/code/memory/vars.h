/*
 * vars.h - D's variables.
 *
 * @e is always the expression that names variable @v. For an element of an associative array, it
 * has the keys.
 */
#ifndef COMPILER_CODE_MEMORY_VARS_H
#define COMPILER_CODE_MEMORY_VARS_H

#include <stdbool.h>

#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"

struct expr;
struct fire;
struct var;

/* Returns the memory of a struct or array. @write: a missing entry is created. */
struct mem var_mem(struct fire *g, const struct var *v, const struct expr *e, bool write);

/* Returns a register with the value of scalar @v. */
int var_load(struct fire *g, const struct var *v, const struct expr *e);

/* Stores @value (register) in scalar @v. Storing 0 removes an entry of a hash. */
void var_store(struct fire *g, const struct var *v, const struct expr *e, int value);

/* Removes the entry of @v from its hash. */
void var_erase(struct fire *g, const struct var *v, const struct expr *e);

/* Writes string @v into slot @d, in the form that the variable has. */
void var_load_str(struct fire *g, const struct var *v, const struct expr *e, struct dest d);

/* Assigns string @value. Returns a slot in scratch memory that has the stored value. */
struct dest var_store_str(struct fire *g, const struct var *v, const struct expr *e,
			  const struct expr *value);

/* Returns a register: 1 if entry @e was missing and is now 1, atomically for all CPUs; else 0. */
int var_claim(struct fire *g, const struct expr *e);

/* Sets the firing's this-> variables to zeros. */
void this_init(struct fire *g);

/* Allocates the firing's this-> structs and arrays, without setting them. */
void this_room(struct fire *g);

/*
 * Returns whether @v is a this-> variable that clauses assign: hidden clauses if @hidden, else the
 * user's. The two kinds of clauses share no this-> variables.
 */
bool this_of(bool hidden, const struct var *v);

#endif
