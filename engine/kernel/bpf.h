/*
 * bpf.h - has a function for each command of bpf(2) that dtrace uses.
 *
 * Unless a comment says otherwise, a function that returns an int returns a descriptor
 * (close-on-exec) or 0, or a negative errno.
 */
#ifndef ENGINE_KERNEL_BPF_H
#define ENGINE_KERNEL_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_func_info;
struct insn;

enum {
	KBPF_NAME = 16,      /* size of an object name in the kernel, including the NUL */
	KBPF_ENOTSUPP = 524, /* an errno of the kernel that no libc header has */
};

/*
 * Makes an object name of @prefix and @text. Truncates it to fit, and replaces all characters
 * except letters, digits, '_' and '.' by '_'.
 */
void kbpf_name(char out[KBPF_NAME], const char *prefix, const char *text);

/*
 * Returns a text for a positive errno, like strerror(). Translates an errno that only the kernel
 * has, and adds advice for EMFILE.
 */
const char *kbpf_strerror(int err);

struct kbpf_map_spec {
	uint32_t type; /* type of the map, enum bpf_map_type */
	uint32_t key_size, value_size, max_entries;
	uint32_t flags;
	uint64_t extra; /* for an arena: address of the arena in this process */
	/* descriptor of BTF that describes key and value, for the map types that need it; else 0 */
	int btf;
	uint32_t btf_key, btf_value; /* type ids of key and value in the BTF of descriptor @btf */
};

/* Creates a map and returns its descriptor. */
int kbpf_map_create(const char *name, const struct kbpf_map_spec *m);
/*
 * Read, store or delete the value of @key. Return -ENOENT if the map has no such key. Of a per-CPU
 * map, @value has a value for each possible CPU, and each value takes a multiple of 8 bytes.
 */
int kbpf_map_lookup(int fd, const void *key, void *value);
int kbpf_map_update(int fd, const void *key, const void *value);
int kbpf_map_delete(int fd, const void *key);

/*
 * Stores the key that follows @key into @next, or the first key if @key is NULL. Returns -ENOENT if
 * @key is the last one.
 */
int kbpf_map_next(int fd, const void *key, void *next);

/*
 * Reads up to *@count entries from position @in, or from the start if @in is NULL. Sets *@out to
 * the next position and *@count to the number of entries. Returns 0 if more entries may follow, and
 * -ENOENT if these entries are the last. Returns -ENOSPC if *@count is too small for the next hash
 * bucket.
 */
int kbpf_map_lookup_batch(int fd, const uint32_t *in, uint32_t *out, void *keys, void *values,
			  uint32_t *count);

/* Returns the ID of this thread in the initial PID namespace, or a negative errno. */
int kbpf_own_thread(void);

struct kbpf_prog_spec {
	uint32_t type;        /* type of the program, enum bpf_prog_type */
	uint32_t attach_type; /* type of the hook; expected_attach_type of bpf(2) */
	uint32_t attach_btf_id;
	uint32_t flags; /* BPF_F_* */
	const struct insn *insn;
	uint32_t ninsn;
	int btf; /* descriptor of the functions' BTF, from kbpf_btf_load(); unused if nfunc is 0 */
	const struct bpf_func_info *func;
	uint32_t nfunc;
};

/* Loads BTF of @size bytes. */
int kbpf_btf_load(const void *btf, uint32_t size);

/* Loads a program. If @log is not NULL, stores the verifier's log in its @log_size bytes. */
int kbpf_prog_load(const char *name, const struct kbpf_prog_spec *s, char *log, uint32_t log_size);

/*
 * Loads a program that only returns 0, to test what the kernel supports. @attach_btf_id is the BTF
 * id of a function, or 0.
 */
int kbpf_prog_load_nothing(uint32_t type, uint32_t attach_type, uint32_t attach_btf_id);

/*
 * kbpf_prog_ask() runs a program of any type that BPF_PROG_TEST_RUN supports, on this CPU, with @n
 * (up to 12) arguments. A program for system calls (BPF_PROG_TYPE_SYSCALL) may change the
 * arguments. Returns the program's result, which must be below 2^31, or a negative errno.
 *
 * kbpf_prog_run() is kbpf_prog_ask(), but returns 0 instead of the program's result.
 */
int kbpf_prog_ask(int prog, const uint64_t *args, uint32_t n);
int kbpf_prog_run(int prog, const uint64_t *args, uint32_t n);

/*
 * Stores the number of the first BPF program above @after in *@id. Returns 0, -ENOENT if there is
 * none, or another negative errno.
 */
int kbpf_prog_next(uint32_t after, uint32_t *id);

/* Returns a descriptor of BPF program @id, or a negative errno. Needs CAP_SYS_ADMIN. */
int kbpf_prog_open(uint32_t id);

/*
 * Stores what the kernel says of program @fd in the @size bytes at @info, a struct bpf_prog_info.
 * The caller clears these bytes first. The kernel's struct may be shorter or longer. Returns 0 or a
 * negative errno.
 */
int kbpf_object_info(int fd, void *info, uint32_t size);

/* Stores how often the kernel skipped the program because it was running already. */
int kbpf_prog_misses(int prog, uint64_t *out);

/*
 * Stores how often the program ran and how long, in ns, while the kernel measured programs (see
 * kbpf_enable_stats()).
 */
int kbpf_prog_cost(int prog, uint64_t *runs, uint64_t *ns);

/* Makes the kernel measure all programs as long as the returned descriptor is open. */
int kbpf_enable_stats(void);

/* Attach a program and return a link. Closing the link detaches the program. */
int kbpf_link_tracing(int prog);
int kbpf_link_cgroup(int prog, int cgroup, uint32_t attach_type);
int kbpf_link_iter(int prog);

/*
 * Attaches the program to the @n functions at @addr, each with a cookie. If @ret is true, attaches
 * it to the returns of these functions instead.
 */
int kbpf_link_kprobes(int prog, bool ret, const uint64_t *addr, const uint64_t *cookie, uint32_t n);

/* Attaches the program to a perf event, with a cookie. */
int kbpf_link_perf(int prog, int event, uint64_t cookie);

/* Instructions at @n offsets of a file. @pid is the process to probe, or 0 for all processes. */
struct kbpf_uprobes {
	const char *file;
	int pid;
	const uint64_t *offset, *semaphore, *cookie; /* @semaphore may be NULL */
	uint32_t n;
	bool ret; /* probe the returns of the functions that begin at these offsets */
};

#define KBPF_UPROBE_MULTI 48 /* BPF_TRACE_UPROBE_MULTI; older headers lack it */

/* Attaches the program to all instructions of @u with one call. */
int kbpf_link_uprobes(int prog, const struct kbpf_uprobes *u);

/*
 * Makes an iterator over objects of the caller's namespaces. Reading the returned descriptor to its
 * end runs the program for each object.
 */
int kbpf_iter_create(int link);

#endif
