/*
 * btf.h - reads the kernel's type information (BTF) in place.
 *
 * The file (usually /sys/kernel/btf/vmlinux) is mapped if the kernel allows that (6.15 and later),
 * else it is read into memory. One pass over the types records where they are. Names are hashed on
 * first use, and only for the kinds of types that can be looked up. Documentation/bpf/btf.rst
 * describes the format.
 */
#ifndef IR_TYPES_BTF_H
#define IR_TYPES_BTF_H

#include <stddef.h>
#include <stdint.h>

#include "ir/types/type.h"

struct btf;

/*
 * Opens and indexes the BTF file at @path. On failure, returns NULL and sets errno: to the error of
 * opening or reading the file, or to EINVAL if the file is not valid BTF. The caller closes the
 * result with btf_close(). The types of the result are allocated from @a, and must not outlive @a
 * or the BTF.
 */
struct btf *btf_open(const char *path, struct arena *a);

/*
 * Opens the types of a kernel module, which refer to the types of @base. @base must outlive the
 * result.
 */
struct btf *btf_open_on(struct btf *base, const char *path, struct arena *a);

/*
 * Like btf_open() and btf_open_on(), for BTF of @size bytes at @data, which must outlive the
 * result. For tests and fuzzing.
 */
struct btf *btf_parse(const void *data, size_t size, struct arena *a);
struct btf *btf_parse_on(struct btf *base, const void *data, size_t size, struct arena *a);

/* Closes @b, which may be NULL. */
void btf_close(struct btf *b);

/*
 * Returns the type called @name of the kind @kind, or NULL if there is none. Forward declarations
 * do not count.
 */
struct type *btf_find(struct btf *b, enum tag_kind kind, const char *name);

/* Returns the BTF ID of the function @name (a FUNC), or 0 if there is none. */
uint32_t btf_find_func(struct btf *b, const char *name);

/*
 * Returns the type of the kernel variable @name, or NULL if the BTF does not list the variable
 * (most kernels list per-CPU variables only). If it finds the variable, sets *@percpu to whether it
 * is a per-CPU variable. Looks only in @b, not in the BTF on which @b is based. Slow, because it
 * scans all types.
 */
struct type *btf_find_var(struct btf *b, const char *name, bool *percpu);

/* Returns the T_FUNC type of the FUNC with BTF ID @id, or NULL if that is not a function. */
struct type *btf_func_type(struct btf *b, uint32_t id);

/* Returns whether the parameters of the FUNC with BTF ID @id end with "...". */
bool btf_func_has_dots(struct btf *b, uint32_t id);

/* Calls @fn for every FUNC in BTF order. */
void btf_each_func(struct btf *b, void (*fn)(void *ctx, const char *name, uint32_t id), void *ctx);

/*
 * Finds the enumerator @name of any enum. Sets *@value to its value, and *@type to its enum if
 * @type is not NULL. Returns 0, or -1 if there is no such enumerator. The first call is slow,
 * because it scans all enums.
 */
int btf_enumerator(struct btf *b, const char *name, int64_t *value, struct type **type);

/* Reads the members or parameters of a type that does not have them yet. Called by type.c. */
void btf_complete(struct btf *b, struct type *t);

/*
 * Calls @fn for every typedef whose name begins with @prefix, in BTF order. @id is the BTF ID of
 * the typedef. The typedefs with the prefix "btf_trace_" are those of the raw tracepoints.
 */
void btf_each_typedef(struct btf *b, const char *prefix,
		      void (*fn)(void *ctx, const char *name, uint32_t id), void *ctx);

/* Returns the type with BTF ID @id, which is created on first use. An invalid ID gives void. */
struct type *btf_type(struct btf *b, uint32_t id);

#endif
