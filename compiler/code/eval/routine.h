/*
 * routine.h - functions of a unit (the eBPF program of one hook) that several expressions call.
 *
 * A routine is generated once in each unit that uses it. The kernel verifies it once if it has
 * params(), else at each call.
 */
#ifndef COMPILER_CODE_EVAL_ROUTINE_H
#define COMPILER_CODE_EVAL_ROUTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "ir/ir.h"

struct arena;
struct compiler;
struct fire;
struct layout;
struct routines;

struct routine {
	const char *name; /* for dumps and the kernel's list of symbols */
	/*
	 * Generates the body of the function, which ends with irb_ret(). The body gets the
	 * parameters by irb_param(); pointers among them are not NULL. It cannot use the clause or
	 * the context. @with selects a variant of the function. The body may use 96 bytes of stack;
	 * for more, the caller passes scratch memory. It may call other routines.
	 */
	void (*gen)(struct irb *b, struct routines *all, uint32_t with);
	/*
	 * Returns the number of parameters. Sets @size[i] to the number of bytes that parameter i
	 * points to, or to 0 if the parameter is a number. With this function, the kernel verifies
	 * the routine once. This pointer is NULL if the sizes are not enough for the verifier; the
	 * kernel then verifies the routine at each call, with the arguments of the call.
	 */
	uint32_t (*params)(uint32_t with, uint32_t size[FUNC_PARAMS]);
};

/* The routines of a unit so far. */
struct routines {
	struct ir_unit *unit;
	struct compiler *c;
	const struct layout *layout;
	bool verified;
	VEC(struct made_routine {
		const struct routine *r;
		uint32_t with;
		int func;
	})
	made;
};

/*
 * Emits a call of variant @with of routine @r with the @narg (at most 5) arguments at @arg.
 * Generates the function first if the unit does not have it yet. Returns a register with the
 * function's result.
 */
int call_routine(struct irb *b, struct routines *all, const struct routine *r, uint32_t with,
		 unsigned narg, const struct ir_arg *arg);

/* As call_routine(), for the code of a clause. */
int gen_routine(struct fire *g, const struct routine *r, uint32_t with, unsigned narg,
		const struct ir_arg *arg);

#endif
