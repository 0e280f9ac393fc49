/*
 * bpf.h - bpf(2), one function per command that we use.
 *
 * All return a file descriptor or 0, and a negative errno on failure.
 * Descriptors are close-on-exec.
 */
#ifndef ENGINE_KERNEL_BPF_H
#define ENGINE_KERNEL_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_func_info;
struct insn;

enum {
	KBPF_NAME = 16,      /* room for a name that the kernel accepts, NUL included */
	KBPF_ENOTSUPP = 524, /* leaks out of the kernel although no libc header has it */
};

/* @prefix and @text as an object name: cut to fit, odd characters replaced by '_'. */
void kbpf_name(char out[KBPF_NAME], const char *prefix, const char *text);

/* As strerror, for a positive errno; knows the ones that only BPF returns, and what to do. */
const char *kbpf_strerror(int err);

struct kbpf_map_spec {
	uint32_t type; /* enum bpf_map_type */
	uint32_t key_size, value_size, max_entries;
	uint32_t flags;
	uint64_t extra; /* of an arena: its address in this process */
	/* what key and value are, which some types want to know: descriptor.  0: nothing is said */
	int btf;
	uint32_t btf_key, btf_value; /* IDs in it */
};

/* A descriptor, or -errno. */
int kbpf_map_create(const char *name, const struct kbpf_map_spec *m);
/* 0, or -errno: -ENOENT: there is no such key. */
int kbpf_map_lookup(int fd, const void *key, void *value);
int kbpf_map_delete(int fd, const void *key);

/* The key after @key (NULL: the first one) into @next; -ENOENT at the end. */
int kbpf_map_next(int fd, const void *key, void *next);

/*
 * Up to *@count entries from position @in (NULL: the start); *@out is where to go
 * on, *@count becomes how many were read.  -ENOENT: read, and that was the end.
 * -ENOSPC: *@count is too small for the next hash bucket.
 */
int kbpf_map_lookup_batch(int fd, const uint32_t *in, uint32_t *out, void *keys, void *values,
			  uint32_t *count);

/*
 * The number that the kernel has for this thread, whatever PID namespace we are in; or a negative
 * errno.
 */
int kbpf_own_thread(void);

struct kbpf_prog_spec {
	uint32_t type;        /* enum bpf_prog_type */
	uint32_t attach_type; /* expected_attach_type */
	uint32_t attach_btf_id;
	const struct insn *insn;
	uint32_t ninsn;
	int btf; /* what describes its functions: from kbpf_btf_load(); unused without them */
	const struct bpf_func_info *func;
	uint32_t nfunc;
};

/* BTF of @size bytes. */
int kbpf_btf_load(const void *btf, uint32_t size);

/* @log, of @log_size bytes, gets the verifier's words; NULL: it keeps silent. */
int kbpf_prog_load(const char *name, const struct kbpf_prog_spec *s, char *log, uint32_t log_size);

/* A program that returns 0, to try what there is. */
int kbpf_prog_load_nothing(uint32_t type, uint32_t attach_type);

/* Runs a raw tracepoint program here and now, on this CPU, with @n (up to 12) arguments. */
int kbpf_prog_run(int prog, const uint64_t *args, uint32_t n);

/* How often the kernel skipped the program because it was running already. */
int kbpf_prog_misses(int prog, uint64_t *out);

/* How often the kernel ran it, and for how long, while it measured. */
int kbpf_prog_cost(int prog, uint64_t *runs, uint64_t *ns);

/* The kernel measures all programs as long as the descriptor is open. */
int kbpf_enable_stats(void);

/* Attach: the result is the link's descriptor, closing it detaches. */
int kbpf_link_tracing(int prog);
int kbpf_link_cgroup(int prog, int cgroup, uint32_t attach_type);
int kbpf_link_iter(int prog);

/* At the @n functions at @addr, with a cookie each; @ret: at their return. */
int kbpf_link_kprobes(int prog, bool ret, const uint64_t *addr, const uint64_t *cookie, uint32_t n);

/* A link of a perf event, with a cookie. */
int kbpf_link_perf(int prog, int event, uint64_t cookie);

/* Instructions at @n offsets of a file, in process @pid alone. */
struct kbpf_uprobes {
	const char *file;
	int pid;
	const uint64_t *offset, *semaphore, *cookie; /* @semaphore may be NULL */
	uint32_t n;
	bool ret; /* of functions that begin there, the return */
};

#define KBPF_UPROBE_MULTI 48 /* BPF_TRACE_UPROBE_MULTI: newer than headers may be */

/* Attaches it to all of them at once: a descriptor, or -errno. */
int kbpf_link_uprobes(int prog, const struct kbpf_uprobes *u);

/* An iterator over what the caller's namespaces have: reading it to its end runs the program. */
int kbpf_iter_create(int link);

#endif
