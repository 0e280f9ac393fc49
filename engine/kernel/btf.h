/*
 * btf.h - makes BTF, which describes the functions of a unit (one eBPF program) and the values of
 * maps to the kernel.
 *
 * The verifier checks a global function once, on its own, so it must know the function's
 * parameters. If a unit has a global function, BTF must describe all of its functions
 * (Documentation/bpf/btf.rst).
 */
#ifndef ENGINE_KERNEL_BTF_H
#define ENGINE_KERNEL_BTF_H

#include <stdint.h>

#include "base/strbuf.h"

struct unit;
struct bpf_func_info;

struct kbtf {
	struct strbuf blob;         /* the BTF */
	struct bpf_func_info *func; /* start and type of each function */
	uint32_t nfunc;             /* 0 if no function is global, so that no BTF is needed */
};

/* Describes @u's functions. The caller frees the result with kbtf_free(). */
void kbtf_make(const struct unit *u, struct kbtf *k);

/*
 * Adds BTF to @blob for a map's key, an int, and its value of @value_size bytes. Stores their type
 * ids in *@key and *@value.
 */
void kbtf_make_map(uint32_t value_size, struct strbuf *blob, uint32_t *key, uint32_t *value);

void kbtf_free(struct kbtf *k);

#endif
