/*
 * map.c - creates the maps of a program in the kernel, maps some of them into this process, and
 * reads them.
 */
#include "engine/kernel/impl.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "engine/kernel/btf.h"

enum {
	RING_DEFAULT = 16 << 20,
	KEYS_DEFAULT = 65536, /* number of entries of a hash that the program leaves unbounded */
	BATCH_BYTES = 1 << 20,
	/*
	 * size of the MAP_WAKE ring; programs write records of 16 bytes to it, to wake the thread
	 * that lets tables grow
	 */
	WAKE_BYTES = 1 << 16,
	CPUS_MAX = 1 << 16, /* larger than the kernel's maximum number of CPUs */
};

static uint32_t round8(uint32_t n)
{
	return (n + 7) & ~7u;
}

/* Reads a list of CPUs such as "0-3,8-11". Returns NULL if there is none. */
static uint32_t *read_cpus(const char *path, uint32_t *n)
{
	FILE *f = fopen(path, "re");
	VEC(uint32_t) cpu = {0};
	uint32_t first, last;
	int got;

	while (f && (got = fscanf(f, "%u-%u", &first, &last)) > 0) {
		if (got == 1)
			last = first;
		for (; first <= last && cpu.n < CPUS_MAX; first++)
			vec_push(&cpu, first);
		if (fgetc(f) != ',')
			break;
	}
	if (f)
		fclose(f);
	*n = (uint32_t)cpu.n;
	return cpu.v;
}

uint32_t *kcpus_online(uint32_t *n)
{
	return read_cpus("/sys/devices/system/cpu/online", n);
}

#define POSSIBLE "/sys/devices/system/cpu/possible"

static const uint32_t only_first; /* the list of kcpus_possible() if the file cannot be read */

const uint32_t *kcpus_possible(uint32_t *n)
{
	static const uint32_t *cpu;
	static uint32_t ncpu;

	if (!cpu)
		cpu = read_cpus(POSSIBLE, &ncpu);
	if (!cpu) {
		cpu = &only_first;
		ncpu = 1;
	}
	*n = ncpu;
	return cpu;
}

/*
 * Records the error that the kernel's list of CPUs cannot be read, and returns -1. The kernel
 * copies per-CPU values of all possible CPUs from and to dtrace's memory. So dtrace must know how
 * many CPUs these are. Returns 0 if it knows them.
 */
static int check_possible(struct diag *d)
{
	uint32_t n;

	if (kcpus_possible(&n) != &only_first)
		return 0;
	return diag_error(d, D_SYS, NOLOC,
			  "cannot read the list of CPUs in " POSSIBLE "; mount sysfs at /sys");
}

/* ---------------------------------------------------- opening and closing */

static size_t ring_size(const struct kernel *k, const struct map_def *def)
{
	uint64_t want = k->opts.bufsize, size = sysconf(_SC_PAGESIZE);

	if (!want)
		want = def->max_entries ? def->max_entries : RING_DEFAULT;
	while (size < want && size < KERNEL_BUFSIZE_MAX)
		size *= 2;
	return size;
}

static struct kbpf_map_spec map_spec(const struct kernel *k, const struct map_def *def)
{
	struct kbpf_map_spec m = {
		.key_size = def->key_size,
		.value_size = round8(def->value_size),
		.max_entries = def->max_entries ? def->max_entries : KEYS_DEFAULT,
	};

	switch (def->kind) {
	case MAP_GLOBAL:
		m.type = BPF_MAP_TYPE_ARRAY;
		m.flags = BPF_F_MMAPABLE;
		m.key_size = 4;
		m.max_entries = 1;
		break;
	case MAP_PERCPU:
		m.type = BPF_MAP_TYPE_PERCPU_ARRAY;
		m.key_size = 4;
		m.max_entries = 1;
		break;
	case MAP_RING:
		m.type = BPF_MAP_TYPE_RINGBUF;
		m.key_size = m.value_size = 0;
		m.max_entries = ring_size(k, def);
		break;
	case MAP_WAKE:
		m.type = BPF_MAP_TYPE_RINGBUF;
		m.key_size = m.value_size = 0;
		m.max_entries = WAKE_BYTES;
		break;
	case MAP_PERCPU_HASH:
		m.type = BPF_MAP_TYPE_PERCPU_HASH;
		m.flags = def->prealloc ? 0 : BPF_F_NO_PREALLOC;
		break;
	case MAP_HASH:
		m.type = BPF_MAP_TYPE_HASH;
		m.flags = def->prealloc ? 0 : BPF_F_NO_PREALLOC;
		break;
	case MAP_LRU_HASH:
		m.type = BPF_MAP_TYPE_LRU_HASH; /* always preallocated */
		break;
	case MAP_TABLE:
		BUG("a table must be in the arena");
	case MAP_TASK:
		m.type = BPF_MAP_TYPE_TASK_STORAGE;
		m.flags = BPF_F_NO_PREALLOC;
		m.max_entries = 0;
		break;
	case MAP_SOCKET:
		m.type = BPF_MAP_TYPE_SK_STORAGE;
		m.flags = BPF_F_NO_PREALLOC | BPF_F_CLONE;
		m.max_entries = 0;
		break;
	}
	return m;
}

static bool needs_btf(enum map_kind kind)
{
	return kind == MAP_TASK || kind == MAP_SOCKET;
}

/* Creates a map that needs BTF. */
static int create_described(const char *name, struct kbpf_map_spec *m)
{
	struct strbuf blob = {0};
	int fd;

	kbtf_make_map(m->value_size, &blob, &m->btf_key, &m->btf_value);
	m->btf = kbpf_btf_load(blob.s, (uint32_t)blob.len);
	strbuf_release(&blob);
	if (m->btf < 0)
		return m->btf;
	fd = kbpf_map_create(name, m);
	close(m->btf); /* the map keeps the BTF */
	return fd;
}

static int map_make(struct kernel *k, uint32_t i, struct diag *d)
{
	const struct map_def *def = &k->p->map[i];
	struct kbpf_map_spec m = map_spec(k, def);
	struct kmap *map = &k->map[i];

	map->fd = needs_btf(def->kind) ? create_described(def->name, &m)
				       : kbpf_map_create(def->name, &m);
	if (map->fd < 0 && def->kind == MAP_RING)
		return diag_error(d, D_SYS, NOLOC,
				  "cannot create a trace buffer of %u bytes (-x bufsize): %s",
				  m.max_entries, kbpf_strerror(-map->fd));
	if (map->fd < 0)
		return diag_error(d, map->fd == -E2BIG ? D_LIMIT : D_SYS, NOLOC,
				  "cannot create BPF map '%s' (%u entries, key %u bytes, "
				  "value %u bytes): %s",
				  def->name, m.max_entries, m.key_size, m.value_size,
				  kbpf_strerror(-map->fd));
	map->value_size = m.value_size;
	map->bytes = def->kind == MAP_RING ? m.max_entries : 0;
	return 0;
}

static int globals_map(struct kernel *k, struct diag *d)
{
	const struct kmap *map = &k->map[MAP_ID_GLOBAL];
	size_t page = sysconf(_SC_PAGESIZE);
	size_t len = (map->value_size + page - 1) & ~(page - 1);
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, map->fd, 0);

	if (p == MAP_FAILED)
		return diag_error(d, D_SYS, NOLOC, "cannot map the global variables: %s",
				  strerror(errno));
	k->globals = p;
	k->globals_len = len;
	kclock_read(k);
	for (uint32_t i = 0; i < k->p->ninit; i++)
		memcpy((char *)p + k->p->init[i].off, k->p->init[i].data, k->p->init[i].size);
	return 0;
}

int kmaps_open(struct kernel *k, struct diag *d)
{
	const struct map_def *def = k->p->map;
	const struct kmap *ring;
	int err;

	if (k->p->nmap < MAP_ID_FIRST_OTHER || def[MAP_ID_GLOBAL].kind != MAP_GLOBAL ||
	    def[MAP_ID_PERCPU].kind != MAP_PERCPU || def[MAP_ID_RING].kind != MAP_RING ||
	    def[MAP_ID_GLOBAL].value_size < sizeof(struct globals) ||
	    def[MAP_ID_PERCPU].value_size < sizeof(struct percpu))
		BUG("the program lacks the maps that every program has");

	if (check_possible(d))
		return -1;
	for (uint32_t i = 0; i < k->p->nmap; i++) {
		if (!map_in_arena(&def[i]) && map_make(k, i, d))
			return -1;
	}
	if (karena_open(k, d))
		return -1;
	if (globals_map(k, d))
		return -1;
	k->thread = k->p->checks_map_writer ? kbpf_own_thread() : 0;
	if (k->thread < 0)
		return diag_error(d, D_SYS, NOLOC, "cannot get the ID of this thread: %s",
				  kbpf_strerror(-k->thread));
	ring = &k->map[MAP_ID_RING];
	err = kring_open(&k->ring, ring->fd, ring->bytes);
	if (err)
		return diag_error(d, D_SYS, NOLOC, "cannot map the trace buffer: %s",
				  strerror(-err));
	k->percpu = xcalloc(k->src.ncpu, k->map[MAP_ID_PERCPU].value_size);
	return 0;
}

void kmaps_close(struct kernel *k)
{
	kring_close(&k->ring);
	if (k->globals)
		munmap(k->globals, k->globals_len);
	k->globals = NULL;
	xfree(k->percpu);
	k->percpu = NULL;
	karena_close(k);
	for (uint32_t i = 0; k->map && i < k->p->nmap; i++) {
		if (k->map[i].fd >= 0)
			close(k->map[i].fd);
	}
	xfree(k->map);
	k->map = NULL;
}

/* ---------------------------------------------------------------- reading */

/* The state of a walk through a hash map. @doomed has the @ndoomed keys to delete at the end. */
struct walk {
	struct kernel *k;
	int fd;
	/* value_size is the size in bytes of the values of all CPUs together */
	uint32_t key_size, value_size;
	kmap_fn *fn;
	void *ctx;
	void *key; /* aligned copy of the key, for @fn */
	unsigned char *doomed;
	size_t ndoomed, cap;
};

static void walk_init(struct walk *w, struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx)
{
	const struct map_def *def = &k->p->map[map];

	*w = (struct walk){
		.k = k,
		.fd = k->map[map].fd,
		.key_size = def->key_size,
		.value_size = k->map[map].value_size,
		.fn = fn,
		.ctx = ctx,
		.key = xcalloc(1, round8(def->key_size)),
	};
	if (def->kind == MAP_PERCPU_HASH)
		w->value_size *= k->src.ncpu;
}

static void walk_visit(struct walk *w, const void *key, const void *value)
{
	memcpy(w->key, key, w->key_size);
	if (!w->fn(w->ctx, w->key, value))
		return;
	if (w->ndoomed == w->cap)
		w->doomed = vec_grow(w->doomed, &w->cap, w->key_size);
	memcpy(w->doomed + w->ndoomed++ * w->key_size, key, w->key_size);
}

static void set_map_writer(struct kernel *k, int thread)
{
	__atomic_store_n(&k->globals->map_writer, (uint32_t)thread, __ATOMIC_SEQ_CST);
}

/*
 * Deletes the keys in @w->doomed. Programs that fire in this thread meanwhile do nothing, because
 * the kernel may hold a lock of the map: see globals.map_writer.
 */
static void delete_doomed(struct walk *w)
{
	set_map_writer(w->k, w->k->thread);
	for (size_t i = 0; i < w->ndoomed; i++)
		kbpf_map_delete(w->fd, w->doomed + i * w->key_size);
	set_map_writer(w->k, 0);
}

/* Deletes keys only at the end, because a walk starts over if its current key is deleted. */
static void walk_end(struct walk *w)
{
	delete_doomed(w);
	xfree(w->doomed);
	xfree(w->key);
}

int kmap_each_batch(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx)
{
	uint32_t pos = 0, next = 0, cap, n;
	unsigned char *keys = NULL, *values = NULL;
	bool started = false;
	struct walk w;
	int err;

	walk_init(&w, k, map, fn, ctx);
	/*
	 * The kernel returns only whole hash buckets, so a batch must have room for the largest
	 * one. Few buckets ever hold more than 16 entries.
	 */
	cap = BATCH_BYTES / w.value_size;
	cap = cap < 16 ? 16 : cap > 4096 ? 4096 : cap;
	do {
		keys = xrealloc(keys, (size_t)cap * w.key_size);
		values = xrealloc(values, (size_t)cap * w.value_size);
		n = cap;
		err = kbpf_map_lookup_batch(w.fd, started ? &pos : NULL, &next, keys, values, &n);
		if (err == -ENOSPC && cap < UINT32_MAX / 2) {
			cap *= 2;
			err = 0;
			continue;
		}
		if (err && err != -ENOENT)
			break;
		for (uint32_t i = 0; i < n; i++)
			walk_visit(&w, keys + (size_t)i * w.key_size,
				   values + (size_t)i * w.value_size);
		pos = next;
		started = true;
	} while (!err);
	xfree(keys);
	xfree(values);
	walk_end(&w);
	return err == -ENOENT ? 0 : err;
}

/*
 * If the D program deletes the current key, the walk starts over and visits keys again. So `left`
 * bounds the number of steps. Walks over aggregations never start over, because only this thread
 * deletes their keys.
 */
int kmap_each_key(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx)
{
	uint64_t left = 2ull * map_spec(k, &k->p->map[map]).max_entries;
	unsigned char *key, *value;
	struct walk w;
	int err;

	walk_init(&w, k, map, fn, ctx);
	key = xcalloc(1, w.key_size);
	value = xcalloc(1, w.value_size);
	for (err = kbpf_map_next(w.fd, NULL, key); !err && left; left--) {
		if (!kbpf_map_lookup(w.fd, key, value))
			walk_visit(&w, key, value);
		err = kbpf_map_next(w.fd, key, key);
	}
	xfree(key);
	xfree(value);
	walk_end(&w);
	return err == -ENOENT ? 0 : err;
}
