/*
 * stack.h - stacks, symbols and callers.
 */
#ifndef COMPILER_CODE_EVAL_STACK_H
#define COMPILER_CODE_EVAL_STACK_H

struct dest;
struct expr;
struct fire;

/* Writes the stack at the hook, for stack() or ustack() @e, into all of slot @d. */
void gen_stack(struct fire *g, const struct expr *e, struct dest d);

/*
 * Writes the address that sym(), usym() ... @e names into slot @d; an address of a process comes
 * after the process's ID.
 */
void gen_symbol(struct fire *g, const struct expr *e, struct dest d);

/*
 * Each returns a register: caller, ucaller, and stackdepth or ustackdepth (number of frames). 0 in
 * replay. If the hook has no such stack, an error is recorded at @e.
 */
int gen_caller(struct fire *g, const struct expr *e);
int gen_ucaller(struct fire *g, const struct expr *e);
int gen_stackdepth(struct fire *g, const struct expr *e);

#endif
