/*
 * routine.h - functions of a unit that several expressions call.
 *
 * A routine is generated once in each unit that uses it, and the kernel verifies it once.
 */
#ifndef COMPILER_CODE_EVAL_ROUTINE_H
#define COMPILER_CODE_EVAL_ROUTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "ir/ir.h"

struct compiler;
struct fire;
struct routines;

struct routine {
	const char *name; /* for dumps and the kernel's list of symbols */
	/*
	 * Generates the function. It takes its parameters by irb_param(), and they are not NULL. It
	 * must end with irb_ret(). It sees neither the clause nor the context, only its parameters
	 * and @with, the variant that the caller asked for. It may use 96 bytes of stack; larger
	 * memory must be the caller's scratch. It may call other routines of the unit.
	 */
	void (*gen)(struct irb *b, struct routines *all, uint32_t with);
	/*
	 * Returns the number of parameters, and in @size the bytes that each points to (0: it is a
	 * number). NULL: the kernel verifies the function at each call, because the verifier does
	 * not accept what the function does with memory of unknown origin.
	 */
	uint32_t (*params)(uint32_t with, uint32_t size[FUNC_PARAMS]);
};

/* The routines of a unit so far. */
struct routines {
	struct ir_unit *unit;
	struct compiler *c;
	bool verified;
	VEC(struct made_routine {
		const struct routine *r;
		uint32_t with;
		int func;
	})
	made;
};

/*
 * Calls variant @with of @r, with @narg (at most 5) arguments at @arg; generates the function
 * first if the unit does not have it. Returns a register with its result.
 */
int call_routine(struct irb *b, struct routines *all, const struct routine *r, uint32_t with,
		 unsigned narg, const struct ir_arg *arg);

/* As call_routine(), from a clause. */
int gen_routine(struct fire *g, const struct routine *r, uint32_t with, unsigned narg,
		const struct ir_arg *arg);

#endif
