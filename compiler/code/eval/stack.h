/*
 * stack.h - stacks, symbols and callers.
 */
#ifndef COMPILER_CODE_EVAL_STACK_H
#define COMPILER_CODE_EVAL_STACK_H

struct dest;
struct expr;
struct fire;

/*
 * Writes the stack at the hook into slot @d, which is memory of a record or key. Fills the whole
 * slot. @e is the call of stack() or ustack().
 */
void gen_stack(struct fire *g, const struct expr *e, struct dest d);

/*
 * @e is a call of sym(), usym() or another action that names an address. Writes that address into
 * slot @d. For an address of a process, the process ID comes first.
 */
void gen_symbol(struct fire *g, const struct expr *e, struct dest d);

/*
 * Generate code for D's variables caller, ucaller, stackdepth and ustackdepth. @e is the variable.
 * gen_stackdepth() handles the last two, whose value is a number of frames. Each function returns
 * the register with the value, which is 0 in replay. If the stack cannot be read at the hook,
 * records an error at the position of @e.
 */
int gen_caller(struct fire *g, const struct expr *e);
int gen_ucaller(struct fire *g, const struct expr *e);
int gen_stackdepth(struct fire *g, const struct expr *e);

#endif
