/*
 * btf.h - what a unit's functions take and some maps hold, told to the kernel.
 *
 * It verifies a global function by itself, once, and so must know its parameters; if there is
 * one, it wants to be told of every function (Documentation/bpf/btf.rst).
 */
#ifndef ENGINE_KERNEL_BTF_H
#define ENGINE_KERNEL_BTF_H

#include <stdint.h>

#include "base/strbuf.h"

struct unit;
struct bpf_func_info;

struct kbtf {
	struct strbuf blob;         /* BTF */
	struct bpf_func_info *func; /* for each function: where it begins, and its type */
	uint32_t nfunc;             /* 0: none is global, and there is nothing to tell */
};

/* Describes @u's functions; undone by kbtf_free(). */
void kbtf_make(const struct unit *u, struct kbtf *k);

/*
 * Describes a map's key, an int, and its value, so many bytes: BTF into @blob, and which types they
 * are.
 */
void kbtf_make_map(uint32_t value_size, struct strbuf *blob, uint32_t *key, uint32_t *value);

void kbtf_free(struct kbtf *k);

#endif
