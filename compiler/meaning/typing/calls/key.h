/*
 * key.h - keys of associative arrays and aggregations.
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
 * Types the @narg keys at @arg. @what: KEY_OF_ARRAY, or KEY_OF_AGGREGATION, whose keys may also be
 * stacks. Returns 0, or -1 with the error recorded at @loc.
 */
int sema_keys(struct compiler *c, struct expr **arg, uint32_t narg, struct loc loc,
	      const char *what);

/*
 * Returns the type that an associative array's key has if its first use is @arg, an expression with
 * a type: string for text, else the type of @arg.
 */
struct type *key_type(const struct expr *arg);

/* Records that @name ("a", "@a") has @nkey keys and @e has another number. Returns -1. */
int key_wrong_number(struct compiler *c, const struct expr *e, const char *name, uint32_t nkey);

/* Records that key @i of @name has type @is, but @want is expected. Returns -1. */
int key_wrong_type(struct compiler *c, const struct expr *e, const char *name, uint32_t i,
		   struct type *want, struct type *is);

#endif
