/*
 * vars.h - loads and stores of D's variables.
 *
 * In all functions, @e is the expression that names variable @v. For an element of an associative
 * array, @e has the keys.
 */
#ifndef COMPILER_CODE_MEMORY_VARS_H
#define COMPILER_CODE_MEMORY_VARS_H

#include <stdbool.h>

#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "ir/ir.h"

struct expr;
struct fire;
struct var;

/*
 * An element of a hash that the code is about to write to. @var is NULL if the memory is in no
 * hash.
 * @at is a copy of the value.
 */
struct element {
	const struct var *var;
	struct ir_arg key;
	struct dest at;
	int32_t frame; /* the key is on the stack from here on */
};

/*
 * Returns the memory of @v, a struct or array. For an element of a hash, this is a copy, or zeros
 * if the element is missing. If @to is not NULL, the caller will write to the memory, and calls
 * var_put() afterwards. In between, the caller may free only stack memory that it has taken itself.
 */
struct mem var_mem(struct fire *g, const struct var *v, const struct expr *e, struct element *to);

/* Stores the element @to, after the caller has written to its copy. */
void var_put(struct fire *g, const struct element *to);

/* Returns a register with the value of scalar @v. */
int var_load(struct fire *g, const struct var *v, const struct expr *e);

/*
 * Stores @value (register) in scalar @v. If the variable is in a hash, storing 0 removes its entry.
 */
void var_store(struct fire *g, const struct var *v, const struct expr *e, int value);

/* Removes the entry of @v from its map. */
void var_erase(struct fire *g, const struct var *v, const struct expr *e);

/* Copies string @v to slot @d, in the form that the variable has (strclass.h). */
void var_load_str(struct fire *g, const struct var *v, const struct expr *e, struct dest d);

/* Assigns string @value to @v. Returns a slot (memory for one string) that has the stored value. */
struct dest var_store_str(struct fire *g, const struct var *v, const struct expr *e,
			  const struct expr *value);

/*
 * Creates entry @e with the value 1 if it is missing, atomically for all CPUs. Returns a register
 * with 1 if this call created the entry, else with 0.
 */
int var_claim(struct fire *g, const struct expr *e);

/*
 * Allocates the this-> variables of the firing (one run of a probe's clauses) and sets them to
 * zeros.
 */
void this_init(struct fire *g);

/* Allocates the firing's this-> structs and arrays, without setting them. */
void this_room(struct fire *g);

/*
 * Returns whether @v is a this-> variable of the library's hidden clauses (if @hidden), or of the
 * user's clauses (if !@hidden). The two kinds of clauses share no this-> variables.
 */
bool this_of(bool hidden, const struct var *v);

#endif
