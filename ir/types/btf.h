/*
 * btf.h - the kernel's type information, read where it lies.
 *
 * The blob (usually /sys/kernel/btf/vmlinux) is mmapped where the kernel allows
 * it (6.15 and later), else read.  One pass over the type section notes where
 * each type starts; names are hashed only for the kinds that are looked up.
 * Format: Documentation/bpf/btf.rst.
 */
#ifndef TYPES_BTF_H
#define TYPES_BTF_H

#include <stddef.h>
#include <stdint.h>

#include "ir/types/type.h"

struct btf;

/*
 * Opens and indexes the BTF file at @path.  NULL with errno set: ENOENT etc. of
 * the file, EINVAL if it is not BTF we can read.  Types it hands out are
 * allotted from @a and must not outlive it or the btf.
 */
struct btf *btf_open(const char *path, struct arena *a);

/* The types of a module, which refer to those of @base: it must live as long. */
struct btf *btf_open_on(struct btf *base, const char *path, struct arena *a);

/* As btf_open, on @size bytes at @data that the caller keeps (tests, fuzzing). */
struct btf *btf_parse(const void *data, size_t size, struct arena *a);
struct btf *btf_parse_on(struct btf *base, const void *data, size_t size, struct arena *a);
void btf_close(struct btf *b);

/* The type with that tag and name; NULL: none.  Forward declarations do not count. */
struct type *btf_find(struct btf *b, enum tag_kind kind, const char *name);

/* Id of FUNC @name (a kfunc) or 0. */
uint32_t btf_find_func(struct btf *b, const char *name);

/*
 * The type of kernel variable @name; NULL: the BTF does not have it (most kernels list
 * only those that each CPU has its own of).  *@percpu: it is one of these.  A scan, slow.
 */
struct type *btf_find_var(struct btf *b, const char *name, bool *percpu);

/* The T_FUNC type of FUNC @id; NULL: it is no function. */
struct type *btf_func_type(struct btf *b, uint32_t id);

/* Does FUNC @id end its parameters with "..."? */
bool btf_func_has_dots(struct btf *b, uint32_t id);

/* Calls @fn for every FUNC, in BTF order. */
void btf_each_func(struct btf *b, void (*fn)(void *ctx, const char *name, uint32_t id), void *ctx);

/* Enumerator @name of any enum in the kernel: found by a scan, slow. */
int btf_enumerator(struct btf *b, const char *name, int64_t *value, struct type **type);

/* Fills in the members, parameters or enumerators of a lazy type (called by type.c). */
void btf_complete(struct btf *b, struct type *t);

/*
 * Calls @fn for every typedef whose name starts with @prefix, in BTF order:
 * how raw tracepoints are found ("btf_trace_").  @id is the typedef's BTF id.
 */
void btf_each_typedef(struct btf *b, const char *prefix,
		      void (*fn)(void *ctx, const char *name, uint32_t id), void *ctx);

/* Type number @id as a struct type (made when first asked for). */
struct type *btf_type(struct btf *b, uint32_t id);

#endif
