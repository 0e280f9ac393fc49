/*
 * memory.h - subroutines and actions that use memory that a clause allocates
 * (compiler/code/memory/alloca.c).
 */
#ifndef COMPILER_BUILTINS_MEMORY_H
#define COMPILER_BUILTINS_MEMORY_H

#include <stdint.h>

struct compiler;
struct expr;
struct fire;

/* The functions `emit` of alloca(), bcopy(), copyin() and copyinto() in the table of subrs.c. */
int emit_alloca(struct fire *g, struct expr **arg, uint32_t narg);
int emit_bcopy(struct fire *g, struct expr **arg, uint32_t narg);
int emit_copyin(struct fire *g, struct expr **arg, uint32_t narg);
int emit_copyinto(struct fire *g, struct expr **arg, uint32_t narg);

/*
 * The functions `check` of the four subroutines above and of copyinstr(). In replay, where
 * processes have no memory, check_copyin() and check_copyinstr() record an error. All but
 * check_copyinstr() record that the clause allocates memory. Return 0, or -1 with the error
 * recorded.
 */
int check_alloca(struct compiler *c, const struct expr *call);
int check_bcopy(struct compiler *c, const struct expr *call);
int check_copyin(struct compiler *c, const struct expr *call);
int check_copyinstr(struct compiler *c, const struct expr *call);

/* The functions `check` and `act` of copyout() and copyoutstr() in the table of actions.c. */
int check_copyout(struct compiler *c, struct expr *call);
int check_copyoutstr(struct compiler *c, struct expr *call);
void act_copyout(struct fire *g, const struct expr *call);
void act_copyoutstr(struct fire *g, const struct expr *call);

#endif
