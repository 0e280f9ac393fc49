/*
 * trust.h - through which pointers the verifier lets a program load, and how.
 *
 * access_of() chooses the load by the origin of the pointer:
 *
 *	a hook's argument, the current task   a plain load
 *	a function's argument, or loaded      library text: a plain load
 *	from one of these                     the user's: after a NULL test
 *	any other, library text               bpf_rdonly_cast(); on kernels without it,
 *	                                      probe_read_kernel(): a bad address gives 0
 *	any other, the user's                 probe_read_kernel(), whose result is tested
 *
 * In replay, library text loads directly from the ksim objects and the IP header that was found.
 * Every other load is tested, so no text sees bytes that were not captured.
 */
#ifndef COMPILER_CODE_MEMORY_TRUST_H
#define COMPILER_CODE_MEMORY_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/ir.h"

struct expr;
struct fire;
struct hook_use;
struct mem;
struct type;

/* How to load; READ is probe_read_kernel(). See access_of() in trust.c. */
enum access { LOAD, LOAD_CAST, LOAD_IP6, TEST_FAULT, TEST_ZERO, READ_FAULT, READ_ZERO };

/* Returns how to load @n bytes at @m. */
enum access access_of(struct fire *g, const struct mem *m, uint32_t n);

/* Records that register @reg is a pointer to a @to, of class @pc. */
void trust(struct irb *b, int reg, enum ptr_class pc, struct type *to);

/*
 * Records the class of register @reg, which was loaded from member @name of the struct at @m, as
 * type @t.
 */
void trust_loaded(struct fire *g, int reg, struct mem m, struct type *t, const char *name);

/*
 * Returns whether the hook's argument of type @t, without typedefs, can be loaded from the context.
 * Otherwise it must be read like memory.
 */
bool arg_in_context(const struct fire *g, const struct type *t);

/*
 * Returns the register to use for @v, which was loaded as argument @i of the hook and points to a
 * @to.
 */
int trust_arg(struct fire *g, int v, uint64_t i, struct type *to);

/*
 * For loads from packets: returns whether the expression @e is the address of the IP header of an
 * sk_buff (head + network_header, or data). Sets *@null if the value of @e may also be NULL; leaves
 * *@null alone otherwise. Emits no code.
 */
bool is_ip_header(const struct fire *g, const struct expr *e, bool *null);

/*
 * Returns whether code of a probe at that hook may keep variables in task storage: not if the
 * kernel refuses that, and not if the probe fires for another thread than the running one.
 */
bool trust_storage(const struct hook_use *use);

/*
 * Returns whether @e cannot be NULL: an address that library text computes from a pointer, or a
 * pointer to the bytes of an sk_buff.
 */
bool never_null(const struct fire *g, const struct expr *e);

#endif
