/*
 * key.h - type-checks the keys of associative arrays and aggregations.
 */
#ifndef COMPILER_MEANING_TYPING_CALLS_KEY_H
#define COMPILER_MEANING_TYPING_CALLS_KEY_H

#include <stdint.h>

#include "base/diag.h"

struct compiler;
struct expr;
struct type;

#define KEY_OF_ARRAY "associative array"
#define KEY_OF_AGGREGATION "aggregation"

/*
 * Type-checks the @narg keys at @arg. @what says where the keys are used: KEY_OF_ARRAY or
 * KEY_OF_AGGREGATION. Only an aggregation may have stacks and symbols as keys. Returns 0, or -1
 * with the error recorded at @loc.
 */
int sema_keys(struct compiler *c, struct expr **arg, uint32_t narg, struct loc loc,
	      const char *what);

/*
 * Returns the type that a key of an associative array gets from its first use, @arg: string for a
 * text, else the type of @arg.
 */
struct type *key_type(const struct expr *arg);

/*
 * Records that @name, such as "a" or "@a", has @nkey keys, and that @e gives another number of
 * keys. Returns -1.
 */
int key_wrong_number(struct compiler *c, const struct expr *e, const char *name, uint32_t nkey);

/* Records that key @i of @name has type @is, where type @want is expected. Returns -1. */
int key_wrong_type(struct compiler *c, const struct expr *e, const char *name, uint32_t i,
		   struct type *want, struct type *is);

#endif
