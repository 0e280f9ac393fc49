/*
 * trust.h - through which pointers the verifier lets a program load, and how.
 *
 * The kind of load depends on the origin of the pointer (access_of()):
 *
 *  - An argument of the hook, or the current task: a plain load. Pointers are loaded through
 *    bpf_rdonly_cast() (trust_needs_cast()).
 *  - An argument of a traced function, or a pointer that was loaded through a pointer of this or
 *    the first kind: library text loads plainly. The user's text tests for NULL first.
 *  - Any other pointer in library text: bpf_rdonly_cast() and a plain load. If the kernel does not
 *    have that function: probe_read_kernel(), and a bad address gives 0.
 *  - Any other pointer in the user's text: probe_read_kernel(), whose result is tested.
 *
 * In replay, all text loads plainly through arguments of the hook. Library text also loads plainly
 * from the other ksim objects (replay's copies of the kernel's structs) and from the IP header that
 * was found. Every other load is tested, so no text sees bytes that were not captured.
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

/*
 * The ways to load. READ_FAULT and READ_ZERO use probe_read_kernel(); access_of() in trust.c has
 * the details.
 */
enum access { LOAD, LOAD_CAST, LOAD_IP6, TEST_FAULT, TEST_ZERO, READ_FAULT, READ_ZERO };

/* Returns how to load @n bytes at @m. */
enum access access_of(struct fire *g, const struct mem *m, uint32_t n);

/* Records that register @reg is a pointer to a @to, of class @pc. */
void trust(struct irb *b, int reg, enum ptr_class pc, struct type *to);

/*
 * Returns whether to load a member of type @t at @m through a cast (m->cast). The verifier accepts
 * a load without a cast too, but takes much longer to check it if the member is a pointer.
 */
bool trust_needs_cast(struct fire *g, const struct mem *m, struct type *t);

/*
 * Records the class of register @reg, whose value has type @t and was loaded from member @name of
 * the struct at @m.
 */
void trust_loaded(struct fire *g, int reg, struct mem m, struct type *t, const char *name);

/*
 * Returns whether code can load an argument of the hook from the context by a plain load. @t is the
 * type of the argument, without typedefs. Other arguments need probe_read_kernel().
 */
bool arg_in_context(const struct fire *g, const struct type *t);

/*
 * Records the class of register @v, which was loaded as argument @i of the hook and points to a
 * @to. Returns the register to use instead of @v: @v itself, or a cast of @v.
 */
int trust_arg(struct fire *g, int v, uint64_t i, struct type *to);

/*
 * Returns whether expression @e is the address of the IP header of an sk_buff: head +
 * network_header, or data. Sets *@null if the value may also be NULL; otherwise does not change
 * *@null. Emits no code.
 */
bool is_ip_header(const struct fire *g, const struct expr *e, bool *null);

/*
 * Returns whether code at hook @use may keep variables in task storage. It may not if the kernel
 * refuses task storage there, or if the probe fires for a thread other than the current one.
 */
bool trust_storage(const struct hook_use *use);

/*
 * Returns whether @e is never NULL: library text computes it as a pointer plus an offset, or it
 * points to the bytes of an sk_buff.
 */
bool never_null(const struct fire *g, const struct expr *e);

#endif
