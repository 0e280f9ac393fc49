/*
 * arena.c - tables of keys in an arena: making, growing, reading them, taking keys out.
 *
 * ir/table.h draws a table and says what programs do.  Memory comes page by page: the arena
 * reserves addresses for each table's greatest size, and pages are asked for as the table grows.
 * A program addresses no entry beyond `room`, which is raised when the pages are there.
 */
#include "engine/kernel/impl.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "ir/table.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define MAP_TYPE_ARENA 33      /* BPF_MAP_TYPE_ARENA: newer than headers may be */
#define ARENA_MAX (2ull << 30) /* bytes of addresses */
#define FIRST_ROOM 8192        /* entries, ... */
#define FIRST_BYTES (2u << 20) /* ... whose values take no more bytes on all CPUs together */
#define LEAST_ROOM 64
#define GROWTH 4
#define PENDING_PART 8         /* entries are used again when an eighth of all wait for it */
#define DEAD_PART 4            /* the index is made anew when a quarter of its slots are dead */
#define PER_SLOT 2             /* slots of the index per entry, at least */
#define ALIGNMENT (1ull << 32) /* of an arena: programs use the low 32 bits of addresses */

struct ktable {
	const struct map_def *def;
	struct table_head *head;
	uint32_t value_size, max; /* bytes; entries that addresses are reserved for */
	char *half[2];            /* addresses for two indexes: one is in use, or none */
	uint64_t half_bytes;
	int used;          /* the half whose index is in use */
	uint64_t *free;    /* the ring that head->free names */
	uint64_t *pending; /* entries taken out of the index, which programs may still write to */
	size_t npending, cap_pending;
	uint64_t dead; /* slots of the index that are TABLE_DEAD */
	bool stuck;    /* there was no memory to grow */
};

struct karena {
	int fd; /* -1: none */
	char *mem;
	size_t size, page;
	uint32_t cpus; /* values of an entry: one for each number that a CPU may have */
	struct ktable *table;
	uint32_t ntable;
};

static size_t pages(const struct karena *a, uint64_t n)
{
	return (n + a->page - 1) & ~(a->page - 1);
}

/* Memory for bytes @from to @to of the arena.  False: the kernel has none. */
static bool populate(const struct karena *a, uint64_t from, uint64_t to)
{
	from &= ~(a->page - 1);
	to = pages(a, to);
	return from >= to || !madvise((void *)from, to - from, MADV_POPULATE_WRITE);
}

/* Waits until all programs that run now have ended: they are RCU readers.  See try_arena(). */
static void wait_for_programs(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		BUG("membarrier: %s", strerror(errno));
}

/* Addresses that are free for an arena; 0: there are none. */
static uint64_t find_addresses(void)
{
	void *p = mmap(NULL, 2 * ALIGNMENT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);

	if (p == MAP_FAILED)
		return 0;
	munmap(p, 2 * ALIGNMENT);
	return ((uint64_t)p + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

/* Adds to a word of the arena: addr_space_cast is Linux 6.9, the atomic operation 6.10. */
static bool try_arena(void)
{
	struct kbpf_map_spec m = {.type = MAP_TYPE_ARENA,
				  .max_entries = 1,
				  .flags = BPF_F_MMAPABLE,
				  .extra = find_addresses()};
	int arena = kbpf_map_create("dt_try", &m), prog;
	struct insn add[] = {
		{.code = BPF_LD | BPF_IMM | BPF_DW, .dst = 1, .src = INSN_MAP_VALUE, .imm = arena},
		{0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 1, .src = 1, .off = 1, .imm = 1},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 2, .imm = 1},
		{.code = BPF_STX | BPF_ATOMIC | BPF_DW,
		 .dst = 1,
		 .src = 2,
		 .imm = BPF_ADD | BPF_FETCH},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 0, .imm = 0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
				   .insn = add,
				   .ninsn = sizeof(add) / sizeof(add[0])};
	long known;

	if (arena < 0)
		return false;
	if (!m.extra) {
		close(arena);
		return false;
	}
	prog = kbpf_prog_load("dt_try", &s, NULL, 0);
	close(arena);
	if (prog < 0)
		return false;
	close(prog);
	known = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
	return known > 0 && known & MEMBARRIER_CMD_GLOBAL;
}

bool kernel_arena(void)
{
	static int has = -1;

	if (has < 0)
		has = try_arena();
	return has;
}

/* -------------------------------------------------------------------- layout */

static uint64_t power_of_two(uint64_t n)
{
	uint64_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

/* Bytes of addresses that a table for @max entries takes. */
static uint64_t table_bytes(const struct karena *a, const struct ktable *t, uint64_t max)
{
	return pages(a, max * t->def->key_size) + a->cpus * pages(a, max * t->value_size) +
	       pages(a, 8 * power_of_two(max)) + 2 * pages(a, 8 * power_of_two(PER_SLOT * max));
}

static uint64_t all_bytes(const struct karena *a, uint64_t heads)
{
	uint64_t sum = heads;

	for (uint32_t i = 0; i < a->ntable; i++)
		sum += table_bytes(a, &a->table[i], a->table[i].max);
	return sum;
}

/* Halves the tables until they fit, or none can get smaller.  Returns the bytes that they take. */
static uint64_t fit_tables(struct karena *a, uint64_t heads)
{
	bool smaller = true;

	while (smaller && all_bytes(a, heads) > ARENA_MAX) {
		smaller = false;
		for (uint32_t i = 0; i < a->ntable; i++) {
			struct ktable *t = &a->table[i];

			if (t->max < 2 * LEAST_ROOM)
				continue;
			t->max /= 2;
			smaller = true;
		}
	}
	return all_bytes(a, heads);
}

static bool give_room(struct karena *a, struct ktable *t, uint64_t room)
{
	struct table_head *h = t->head;

	if (!populate(a, h->keys, h->keys + room * t->def->key_size))
		return false;
	for (uint32_t cpu = 0; cpu < a->cpus; cpu++) {
		uint64_t values = h->values + cpu * h->stride;

		if (!populate(a, values, values + room * t->value_size))
			return false;
	}
	return true;
}

/* An index of @slots free slots in the half that is not in use; NULL: there is no memory for it. */
static uint64_t *new_index(struct karena *a, struct ktable *t, uint64_t slots)
{
	char *at = t->half[!t->used];

	if (8 * slots > t->half_bytes || !populate(a, (uint64_t)at, (uint64_t)at + 8 * slots))
		return NULL;
	memset(at, 0, 8 * slots);
	return (uint64_t *)at;
}

static uint64_t first_room(const struct karena *a, const struct ktable *t)
{
	uint64_t room = FIRST_BYTES / ((uint64_t)t->value_size * a->cpus);

	room = room < LEAST_ROOM ? LEAST_ROOM : room > FIRST_ROOM ? FIRST_ROOM : room;
	return room < t->max ? room : t->max;
}

/* Makes the index at @at the one in use.  Programs see its address and its size change at once. */
static void use_index(struct ktable *t, const uint64_t *at, uint64_t slots)
{
	uint64_t index = (uint32_t)(uint64_t)at | (slots - 1) << 32;

	t->used = (const char *)at == t->half[1];
	t->dead = 0;
	__atomic_store_n(&t->head->index, index, __ATOMIC_RELEASE);
}

static uint64_t take_addresses(uint64_t *at, uint64_t bytes)
{
	*at += bytes;
	return *at - bytes;
}

/* Lays out a table from address *@at on.  False: there is no memory for its first entries. */
static bool make_table(struct karena *a, struct ktable *t, uint64_t *at)
{
	struct table_head *h = t->head;
	uint64_t room = first_room(a, t), slots = power_of_two(PER_SLOT * room), *index;

	h->keys = take_addresses(at, pages(a, (uint64_t)t->max * t->def->key_size));
	h->stride = pages(a, (uint64_t)t->max * t->value_size);
	h->values = take_addresses(at, a->cpus * h->stride);
	h->free_mask = power_of_two(t->max) - 1;
	h->free = take_addresses(at, pages(a, 8 * (h->free_mask + 1)));
	t->free = (uint64_t *)h->free;
	t->half_bytes = pages(a, 8 * power_of_two(PER_SLOT * (uint64_t)t->max));
	t->half[0] = (char *)take_addresses(at, t->half_bytes);
	t->half[1] = (char *)take_addresses(at, t->half_bytes);
	t->used = 1;
	if (getrandom(&h->seed, sizeof(h->seed), GRND_NONBLOCK) != sizeof(h->seed))
		h->seed = now_monotonic() * TABLE_HASH_FACTOR;
	index = new_index(a, t, slots);
	if (!index || !give_room(a, t, room))
		return false;
	use_index(t, index, slots);
	h->room = room;
	return true;
}

/* --------------------------------------------------------------------- making */

static int create(struct karena *a, uint64_t bytes)
{
	struct kbpf_map_spec m = {.type = MAP_TYPE_ARENA,
				  .max_entries = (uint32_t)(bytes / a->page),
				  .flags = BPF_F_MMAPABLE,
				  .extra = find_addresses()};

	a->fd = kbpf_map_create("tables", &m);
	if (a->fd < 0)
		return a->fd;
	a->size = bytes;
	a->mem = mmap((void *)m.extra, bytes, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_FIXED_NOREPLACE, a->fd, 0);
	return a->mem == MAP_FAILED ? -errno : 0;
}

static uint32_t last_cpu(const struct kernel *k)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < k->src.ncpu; i++)
		if (k->cpu[i] > last)
			last = k->cpu[i];
	return last;
}

int karena_open(struct kernel *k, struct diag *d)
{
	struct karena *a;
	uint64_t heads, at, n = 0;
	bool got;
	int err;

	for (uint32_t i = 0; i < k->p->nmap; i++)
		n += k->p->map[i].kind == MAP_TABLE;
	if (!n)
		return 0;
	a = k->arena = xcalloc(1, sizeof(*a));
	*a = (struct karena){.fd = -1,
			     .mem = MAP_FAILED,
			     .page = (size_t)sysconf(_SC_PAGESIZE),
			     .cpus = last_cpu(k) + 1,
			     .table = xcalloc(n, sizeof(*a->table))};
	for (uint32_t i = 0; i < k->p->nmap; i++) {
		const struct map_def *def = &k->p->map[i];

		if (def->kind != MAP_TABLE)
			continue;
		k->map[i].table = a->ntable;
		a->table[a->ntable++] = (struct ktable){.def = def,
							.value_size = (def->value_size + 7) & ~7u,
							.max = def->max_entries};
	}
	heads = pages(a, n * sizeof(struct table_head));
	err = create(a, fit_tables(a, heads));
	if (err)
		return diag_error(d, D_SYS, NOLOC, "cannot create an arena of %zu bytes: %s",
				  a->size, kbpf_strerror(-err));
	at = (uint64_t)a->mem + heads;
	got = populate(a, (uint64_t)a->mem, at);
	for (uint32_t i = 0; got && i < a->ntable; i++) {
		a->table[i].head = (struct table_head *)(a->mem + TABLE_HEAD(i));
		got = make_table(a, &a->table[i], &at);
	}
	if (!got)
		return diag_error(d, D_SYS, NOLOC,
				  "no memory for the keys of aggregations: allow more, or use "
				  "-x maps=kernel");
	for (uint32_t i = 0; i < k->p->nmap; i++)
		if (k->p->map[i].kind == MAP_TABLE)
			k->map[i].fd = a->fd;
	return 0;
}

void karena_close(struct kernel *k)
{
	struct karena *a = k->arena;

	if (!a)
		return;
	for (uint32_t i = 0; k->map && i < k->p->nmap; i++)
		if (k->p->map[i].kind == MAP_TABLE)
			k->map[i].fd = -1;
	if (a->mem != MAP_FAILED)
		munmap(a->mem, a->size);
	if (a->fd >= 0)
		close(a->fd);
	for (uint32_t i = 0; i < a->ntable; i++)
		xfree(a->table[i].pending);
	xfree(a->table);
	xfree(a);
	k->arena = NULL;
}

/* -------------------------------------------------------------------- reading */

static uint64_t load(const uint64_t *at)
{
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

static uint64_t *slots_of(const struct karena *a, const struct table_head *h)
{
	return (uint64_t *)(a->mem + ((uint32_t)h->index - (uint32_t)(uint64_t)a->mem));
}

static uint64_t number_of_slots(const struct table_head *h)
{
	return (h->index >> 32) + 1;
}

/* Does slot @word name an entry? */
static bool in_use(uint64_t word)
{
	return (uint32_t)word != 0;
}

static const char *key_of(const struct ktable *t, uint64_t entry)
{
	return (const char *)t->head->keys + entry * t->def->key_size;
}

static const char *value_of(const struct ktable *t, uint64_t entry, uint32_t cpu)
{
	return (const char *)t->head->values + cpu * t->head->stride + entry * t->value_size;
}

static uint64_t hash_of(const struct ktable *t, const char *key)
{
	uint64_t h = t->head->seed, word;

	for (uint32_t i = 0; i < t->def->key_size; i += 8) {
		memcpy(&word, key + i, 8);
		h = table_hash(h, word);
	}
	return h;
}

/*
 * Puts @word where a look-up of its hash finds it in the index at @slot, which is never full.
 * Beyond TABLE_PROBES slots programs do not find it, and add the key once more.
 */
static void put_slot(uint64_t *slot, uint64_t mask, uint64_t hash, uint64_t word)
{
	for (;; hash++) {
		uint64_t free = 0;

		if (__atomic_compare_exchange_n(&slot[hash & mask], &free, word, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
		    free == word)
			return;
	}
}

/* Copies the @n slots of the index at @from to that at @to, where they may be already. */
static void copy_slots(const struct ktable *t, const uint64_t *from, uint64_t n, uint64_t *to,
		       uint64_t mask)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t word = load(&from[i]);

		if (in_use(word))
			put_slot(to, mask, hash_of(t, key_of(t, (uint32_t)word - 1)), word);
	}
}

/*
 * Replaces the index by one of @slots slots.  Keys that programs add to the old one meanwhile are
 * copied when no program can look at it any more.
 */
static bool replace_index(struct karena *a, struct ktable *t, uint64_t slots)
{
	const uint64_t *old = slots_of(a, t->head);
	uint64_t nold = number_of_slots(t->head), *new = new_index(a, t, slots);

	if (!new)
		return false;
	copy_slots(t, old, nold, new, slots - 1);
	use_index(t, new, slots);
	wait_for_programs();
	copy_slots(t, old, nold, new, slots - 1);
	return true;
}

static void grow(struct karena *a, struct ktable *t)
{
	struct table_head *h = t->head;
	uint64_t room = GROWTH * h->room < t->max ? GROWTH * h->room : t->max;

	if (!give_room(a, t, room) || !replace_index(a, t, power_of_two(PER_SLOT * room))) {
		t->stuck = true;
		return;
	}
	__atomic_store_n(&h->room, room, __ATOMIC_RELEASE);
}

/* Entries that hold keys, or wait in @pending. */
static uint64_t entries_in_use(const struct table_head *h)
{
	return load(&h->next) - (h->free_tail - load(&h->free_head));
}

bool karena_tend(struct kernel *k)
{
	struct karena *a = k->arena;
	bool grown = false;

	for (uint32_t i = 0; a && i < a->ntable; i++) {
		struct ktable *t = &a->table[i];

		if (t->stuck || t->head->room == t->max ||
		    2 * entries_in_use(t->head) < t->head->room)
			continue;
		grow(a, t);
		grown = true;
	}
	return grown;
}

static void take_out(struct ktable *t, uint64_t *slot)
{
	if (t->npending == t->cap_pending)
		t->pending = vec_grow(t->pending, &t->cap_pending, sizeof(*t->pending));
	t->pending[t->npending++] = (uint32_t)*slot - 1;
	__atomic_store_n(slot, TABLE_DEAD, __ATOMIC_RELEASE);
	t->dead++;
}

/*
 * Entries may be used again when no program can hold a pointer to them.  Waiting for that takes
 * milliseconds, so many entries wait together.
 */
static void reuse_entries(struct karena *a, struct ktable *t)
{
	struct table_head *h = t->head;

	if (t->npending < h->room / PENDING_PART ||
	    !populate(a, h->free, h->free + 8 * (h->free_mask + 1)))
		return;
	wait_for_programs();
	for (size_t i = 0; i < t->npending; i++) {
		for (uint32_t cpu = 0; cpu < a->cpus; cpu++)
			memset((char *)value_of(t, t->pending[i], cpu), 0, t->value_size);
		t->free[(h->free_tail + i) & h->free_mask] = t->pending[i];
	}
	__atomic_store_n(&h->free_tail, h->free_tail + t->npending, __ATOMIC_RELEASE);
	t->npending = 0;
}

int karena_each(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx)
{
	struct karena *a = k->arena;
	struct ktable *t = &a->table[k->map[map].table];
	uint64_t *slot = slots_of(a, t->head), n = number_of_slots(t->head);
	char *value = xcalloc(k->src.ncpu, t->value_size);

	for (uint64_t i = 0; i < n; i++) {
		uint64_t word = load(&slot[i]), entry = (uint32_t)word - 1;

		if (!in_use(word))
			continue;
		for (uint32_t c = 0; c < k->src.ncpu; c++)
			memcpy(value + (size_t)c * t->value_size, value_of(t, entry, k->cpu[c]),
			       t->value_size);
		if (fn(ctx, key_of(t, entry), value))
			take_out(t, &slot[i]);
	}
	xfree(value);
	reuse_entries(a, t);
	if (t->dead > n / DEAD_PART)
		replace_index(a, t, n);
	return 0;
}
