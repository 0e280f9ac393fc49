/*
 * arena.c - makes hash tables in an arena (memory that BPF programs and dtrace share), lets them
 * grow, reads them and removes keys.
 *
 * ir/table.h describes a table and what programs do with it. The arena reserves addresses for each
 * table's greatest size, and gets pages as the table grows. Programs use only the entries below
 * table_head.room, which is raised when the pages exist.
 *
 * A thread lets tables grow, because the consumer may be busy for longer than programs need to fill
 * a table. The program that allocates entry number table_head.mark wakes the thread. The thread and
 * the consumer both change indexes; they hold karena.lock while they do so.
 */
#include "engine/kernel/impl.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/minmax.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "ir/table.h"

#define MAP_TYPE_ARENA 33      /* BPF_MAP_TYPE_ARENA, which older headers lack */
#define ARENA_MAX (2ull << 30) /* maximum size of the address range of an arena, in bytes */
#define FIRST_ROOM 65536       /* largest number of entries of a new table */
#define FIRST_BYTES (2u << 20) /* maximum bytes of a new table's values, on all CPUs together */
#define LEAST_ROOM 64
#define SMALL_ROOM 131072 /* tables with less room grow by a factor of 4, others by 2 */
#define LARGE_ROOM 524288 /* tables with more room grow when 3/4 of it are allocated */
/* how often the thread wakes by itself, because a program in an NMI may fail to wake it */
#define CHECK_MS 1000
#define PENDING_PART 8   /* removed entries are freed when they are 1/8 of all entries */
#define DEAD_PART 4      /* the index is rebuilt when a quarter of its slots are dead */
#define CLUSTER_MAX 1024 /* maximum number of slots that mark_twice() compares with a slot */
#define PER_SLOT 2       /* minimum number of index slots per entry */
/* alignment of an arena, because programs use only the low 32 bits of addresses */
#define ALIGNMENT (1ull << 32)

/* The events that wake the thread. */
enum { WOKEN, STOP };

/* A list of entries, given by their numbers in a table. */
struct entries {
	uint32_t *v;
	size_t n, cap;
};

struct ktable {
	const struct map_def *def;
	struct table_head *head;
	/* @value_size: size of a value in bytes. @max: number of entries that have addresses. */
	uint32_t value_size, max;
	/* two areas: the index is in one of them, and the next index is made in the other */
	char *half[2];
	uint64_t half_bytes;
	uint64_t half_used[2]; /* number of bytes of each half that have pages */
	int used;              /* the half whose index is in use */
	/* ring of the numbers of free entries; head->free is its address as programs see it */
	uint64_t *free;
	/* entries that are no longer in the index, but that programs may still write to */
	struct entries pending;
	uint64_t dead; /* number of slots of the index that are TABLE_DEAD */
	uint64_t ring; /* number of words of the ring that have pages; a power of two, or 0 */
	/* the table keeps its size, because there was no memory to grow */
	bool stuck;
};

struct karena {
	int fd;        /* descriptor of the arena map, or -1 */
	int allocator; /* descriptor of the program that allocates pages, or -1 */
	char *mem;
	size_t size, page;
	/* number of values of an entry: one for each CPU number from 0 to the highest */
	uint32_t cpus;
	struct ktable *table;
	uint32_t ntable;
	/*
	 * protects the members index, room and mark of table_head, and the index slots that dtrace
	 * itself writes
	 */
	pthread_mutex_t lock;
	pthread_t thread;
	bool started;
	/*
	 * Descriptors, or -1. The thread waits on epoll. A number written to the eventfd stop ends
	 * the thread.
	 */
	int epoll, stop;
};

static size_t pages(const struct karena *a, uint64_t n)
{
	return (n + a->page - 1) & ~(a->page - 1);
}

/*
 * Allocates the pages of the addresses [@from, @to). If @from lies within a page, this page exists
 * already. Returns false if there is no memory.
 */
static bool allocate(const struct karena *a, uint64_t from, uint64_t to)
{
	uint64_t args[2];

	from = pages(a, from);
	to = pages(a, to);
	args[0] = from;
	args[1] = (to - from) / a->page;
	return from >= to || kbpf_prog_ask(a->allocator, args, 2) == 1;
}

/* Does the work of kunits_wait(). Cannot fail, because try_arena() has tried the call. */
static void wait_for_programs(void)
{
	if (!kunits_wait())
		BUG("membarrier: %s", strerror(errno));
}

/* Returns the start of a free range of addresses for an arena, or 0 if there is none. */
static uint64_t find_addresses(void)
{
	void *p = mmap(NULL, 2 * ALIGNMENT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);

	if (p == MAP_FAILED)
		return 0;
	munmap(p, 2 * ALIGNMENT);
	return ((uint64_t)p + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

/*
 * Returns whether the kernel accepts a program that adds to a word of an arena, and offers the
 * membarrier(2) of wait_for_programs(). The program needs addr_space_cast (Linux 6.9) and the
 * atomic operation (6.10).
 */
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

/* Returns how many bytes of addresses must be reserved for a table of @max entries. */
static uint64_t table_bytes(const struct karena *a, const struct ktable *t, uint64_t max)
{
	return pages(a, max * t->def->key_size) + a->cpus * pages(a, max * t->value_size) +
	       pages(a, 8ull * a->cpus) + pages(a, 8 * power_of_two(max)) +
	       2 * pages(a, 8 * power_of_two(PER_SLOT * max));
}

static uint64_t all_bytes(const struct karena *a, uint64_t heads)
{
	uint64_t sum = heads;

	for (uint32_t i = 0; i < a->ntable; i++)
		sum += table_bytes(a, &a->table[i], a->table[i].max);
	return sum;
}

/*
 * Halves the sizes of all tables until all of them fit into ARENA_MAX, or no table can get smaller.
 * Returns the bytes that all tables take.
 */
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

/*
 * Allocates memory for keys and values of the entries up to @room. The entries up to h->room have
 * memory already. Returns false if there is no memory.
 */
static bool give_room(struct karena *a, struct ktable *t, uint64_t room)
{
	struct table_head *h = t->head;
	uint32_t size = t->def->key_size;

	if (!allocate(a, h->keys + h->room * size, h->keys + room * size))
		return false;
	for (uint32_t cpu = 0; cpu < a->cpus; cpu++) {
		uint64_t values = h->values + cpu * h->stride;

		if (!allocate(a, values + h->room * t->value_size, values + room * t->value_size))
			return false;
	}
	return true;
}

/*
 * Returns the number of an entry. When a program allocates this entry, it wakes the thread that
 * lets the table grow. The thread must be early enough, because programs go on adding keys: two
 * CPUs add some 3 million keys a second, so up to 15,000 before the thread runs. After the table
 * has grown, it cannot grow again for up to 50 ms, until the programs that were running have ended.
 */
static uint64_t mark_of(uint64_t room)
{
	return room < SMALL_ROOM ? room / 8 : room < LARGE_ROOM ? room / 2 : room / 4 * 3;
}

/*
 * Makes an index of @slots free slots in the half that is not in use. Returns NULL if there is no
 * memory for it.
 */
static uint64_t *new_index(struct karena *a, struct ktable *t, uint64_t slots)
{
	int half = !t->used;
	uint64_t at = (uint64_t)t->half[half], bytes = pages(a, 8 * slots);

	if (8 * slots > t->half_bytes || !allocate(a, at + t->half_used[half], at + bytes))
		return NULL;
	memset(t->half[half], 0, t->half_used[half]); /* new pages are zero */
	if (bytes > t->half_used[half])
		t->half_used[half] = bytes;
	return (uint64_t *)at;
}

static uint64_t first_room(const struct karena *a, const struct ktable *t)
{
	uint64_t room = FIRST_BYTES / ((uint64_t)t->value_size * a->cpus);

	room = room < LEAST_ROOM ? LEAST_ROOM : room > FIRST_ROOM ? FIRST_ROOM : room;
	return room < t->max ? room : t->max;
}

/*
 * Switches to the index at @at. Programs see the new address and the new size at the same moment,
 * because one word holds both.
 */
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

static uint64_t new_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = now_monotonic() * TABLE_HASH_FACTOR;
	return seed;
}

/*
 * Reserves the addresses of table @t from *@at on, and makes its index. Returns false if there is
 * no memory for its first entries.
 */
static bool make_table(struct karena *a, struct ktable *t, uint64_t *at)
{
	struct table_head *h = t->head;
	uint64_t room = first_room(a, t), slots = power_of_two(PER_SLOT * room), *index;

	h->keys = take_addresses(at, pages(a, (uint64_t)t->max * t->def->key_size));
	h->stride = pages(a, (uint64_t)t->max * t->value_size);
	h->values = take_addresses(at, a->cpus * h->stride);
	h->spare = take_addresses(at, pages(a, 8ull * a->cpus));
	h->free = take_addresses(at, pages(a, 8 * power_of_two(t->max)));
	t->free = (uint64_t *)h->free;
	t->half_bytes = pages(a, 8 * power_of_two(PER_SLOT * (uint64_t)t->max));
	t->half[0] = (char *)take_addresses(at, t->half_bytes);
	t->half[1] = (char *)take_addresses(at, t->half_bytes);
	t->used = 1;
	h->seed = new_seed();
	index = new_index(a, t, slots);
	if (!index || !give_room(a, t, room) || !allocate(a, h->spare, h->spare + 8ull * a->cpus))
		return false;
	use_index(t, index, slots);
	h->room = room;
	h->mark = mark_of(room);
	return true;
}

/* -------------------------------------------------------------------- growing */

static uint64_t load(const uint64_t *at)
{
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

/*
 * Returns the slots of the index. The index is in the same arena as the head, so only the low 32
 * bits of their addresses differ.
 */
static uint64_t *slots_of(const struct table_head *h)
{
	return (uint64_t *)(((uint64_t)h & ~(ALIGNMENT - 1)) | (uint32_t)h->index);
}

static uint64_t number_of_slots(const struct table_head *h)
{
	return (h->index >> 32) + 1;
}

/* Returns whether slot @word refers to an entry. */
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
 * Stores @word in the first free slot at or after the position that @hash gives, unless a slot on
 * the way has @word already. The index at @slot is never full. Programs search only TABLE_PROBES
 * slots. If @word is stored further away, a program adds the key a second time, which does no harm.
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

/*
 * Copies the @n slots of the index at @from to the index at @to. Skips slots that the index at @to
 * has already.
 */
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
 * Replaces the index by a new one with @slots slots. Programs may still add keys to the old index
 * until finish_replacing(). Returns false if there is no memory for the new index.
 */
static bool begin_replacing(struct karena *a, struct ktable *t, uint64_t slots)
{
	uint64_t *new = new_index(a, t, slots);

	if (!new)
		return false;
	copy_slots(t, slots_of(t->head), number_of_slots(t->head), new, slots - 1);
	use_index(t, new, slots);
	return true;
}

/*
 * Copies the keys that programs added to the old index while it was being replaced. @from is the
 * old index, which has @n slots.
 */
static void finish_replacing(struct ktable *t, const uint64_t *from, uint64_t n)
{
	wait_for_programs();
	copy_slots(t, from, n, slots_of(t->head), number_of_slots(t->head) - 1);
}

/*
 * Rebuilds the index without the slots of removed keys. If there is no memory, the old index stays.
 */
static void replace_index(struct karena *a, struct ktable *t)
{
	const uint64_t *old = slots_of(t->head);
	uint64_t n = number_of_slots(t->head);

	if (begin_replacing(a, t, n))
		finish_replacing(t, old, n);
}

static uint64_t next_room(const struct ktable *t)
{
	uint64_t room = t->head->room;

	room *= room < SMALL_ROOM ? 4 : 2;
	return room < t->max ? room : t->max;
}

/*
 * Makes the table larger. Programs may use the new entries before the last keys of the old index
 * are copied to the new one. Returns false if there is no memory.
 */
static bool grow(struct karena *a, struct ktable *t)
{
	struct table_head *h = t->head;
	uint64_t room = next_room(t), slots = power_of_two(PER_SLOT * room);
	const uint64_t *old = slots_of(h);
	uint64_t nold = number_of_slots(h);
	bool replaced = slots > nold;

	if (!give_room(a, t, room) || (replaced && !begin_replacing(a, t, slots)))
		return false;
	__atomic_store_n(&h->room, room, __ATOMIC_RELEASE);
	__atomic_store_n(&h->mark, room < t->max ? mark_of(room) : UINT64_MAX, __ATOMIC_SEQ_CST);
	if (replaced)
		finish_replacing(t, old, nold);
	return true;
}

static bool is_due(const struct ktable *t)
{
	return !t->stuck && t->head->room < t->max &&
	       __atomic_load_n(&t->head->next, __ATOMIC_SEQ_CST) > t->head->mark;
}

static void grow_tables(struct karena *a)
{
	for (uint32_t i = 0; i < a->ntable; i++) {
		struct ktable *t = &a->table[i];

		pthread_mutex_lock(&a->lock);
		while (is_due(t))
			t->stuck = !grow(a, t);
		pthread_mutex_unlock(&a->lock);
	}
}

static void *grower(void *ctx)
{
	struct karena *a = ctx;
	struct epoll_event ev;
	int n;

	do {
		n = epoll_wait(a->epoll, &ev, 1, CHECK_MS);
		grow_tables(a);
	} while (n <= 0 || ev.data.u32 != STOP);
	return NULL;
}

/* Starts the thread that lets tables grow. Returns 0 or an errno. */
static int start_thread(struct kernel *k)
{
	struct karena *a = k->arena;
	struct epoll_event woken = {.events = EPOLLIN | EPOLLET, .data.u32 = WOKEN};
	struct epoll_event stop = {.events = EPOLLIN, .data.u32 = STOP};
	int err;

	a->epoll = epoll_create1(EPOLL_CLOEXEC);
	a->stop = eventfd(0, EFD_CLOEXEC);
	if (a->epoll < 0 || a->stop < 0 ||
	    epoll_ctl(a->epoll, EPOLL_CTL_ADD, k->map[k->p->wake].fd, &woken) ||
	    epoll_ctl(a->epoll, EPOLL_CTL_ADD, a->stop, &stop))
		return errno;
	err = kthread_start(&a->thread, grower, a);
	a->started = !err;
	return err;
}

static void stop_thread(struct karena *a)
{
	if (a->started && write(a->stop, &(uint64_t){1}, sizeof(uint64_t)) == sizeof(uint64_t))
		pthread_join(a->thread, NULL);
	if (a->stop >= 0)
		close(a->stop);
	if (a->epoll >= 0)
		close(a->epoll);
}

/* -------------------------------------------------------- opening and closing */

static int create(struct karena *a, uint64_t bytes)
{
	struct kbpf_map_spec m = {.type = MAP_TYPE_ARENA,
				  .max_entries = (uint32_t)(bytes / a->page),
				  .flags = BPF_F_MMAPABLE,
				  .extra = find_addresses()};

	a->size = bytes;
	a->fd = kbpf_map_create("tables", &m);
	if (a->fd < 0)
		return a->fd;
	a->mem = mmap((void *)m.extra, bytes, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_FIXED_NOREPLACE, a->fd, 0);
	return a->mem == MAP_FAILED ? -errno : 0;
}

/*
 * Loads the program that allocates arena pages. Its context has the address and the number of the
 * pages. It returns 1, or 0 if memory is short. dtrace could also touch the pages, but page faults
 * take ten times as long, and raise SIGSEGV if memory is short. load_allocator() returns 0 or a
 * negative errno.
 */
static int load_allocator(struct kernel *k)
{
	struct karena *a = k->arena;
	struct insn code[] = {
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 2, .src = 1},
		{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = 3, .src = 1, .off = 8},
		{.code = BPF_LD | BPF_IMM | BPF_DW, .dst = 1, .src = INSN_MAP, .imm = a->fd},
		{0},
		/* -1 means any NUMA node */
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 4, .imm = -1},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 5},
		{.code = BPF_JMP | BPF_CALL, .src = INSN_KFUNC, .imm = (int32_t)k->p->arena_alloc},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 1, .src = 0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 0},
		{.code = BPF_JMP | BPF_JEQ | BPF_K, .dst = 1, .off = 1},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 0, .imm = 1},
		{.code = BPF_JMP | BPF_EXIT},
	};
	const struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_SYSCALL,
					 .flags = BPF_F_SLEEPABLE,
					 .insn = code,
					 .ninsn = sizeof(code) / sizeof(code[0])};

	a->allocator = kbpf_prog_load("dt_allocate", &s, NULL, 0);
	return a->allocator < 0 ? a->allocator : 0;
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
		n += map_in_arena(&k->p->map[i]);
	if (!n)
		return 0;
	a = k->arena = xcalloc(1, sizeof(*a));
	*a = (struct karena){.fd = -1,
			     .allocator = -1,
			     .mem = MAP_FAILED,
			     .page = (size_t)sysconf(_SC_PAGESIZE),
			     .cpus = last_cpu(k) + 1,
			     .lock = PTHREAD_MUTEX_INITIALIZER,
			     .epoll = -1,
			     .stop = -1,
			     .table = xcalloc(n, sizeof(*a->table))};
	for (uint32_t i = 0; i < k->p->nmap; i++) {
		const struct map_def *def = &k->p->map[i];

		if (!map_in_arena(def))
			continue;
		k->map[i].table = a->ntable;
		a->table[a->ntable++] = (struct ktable){.def = def,
							.value_size = (def->value_size + 7) & ~7u,
							.max = def->max_entries};
	}
	heads = pages(a, n * sizeof(struct table_head));
	err = create(a, fit_tables(a, heads));
	if (err)
		return diag_error(d, D_SYS, NOLOC,
				  "cannot create a BPF arena of %zu bytes for keys (-x maps=kernel "
				  "needs none): %s",
				  a->size, kbpf_strerror(-err));
	err = load_allocator(k);
	if (err)
		return diag_error(d, D_SYS, NOLOC,
				  "cannot load the program that allocates memory for keys (-x "
				  "maps=kernel needs none): %s",
				  kbpf_strerror(-err));
	at = (uint64_t)a->mem + heads;
	got = allocate(a, (uint64_t)a->mem, at);
	for (uint32_t i = 0; got && i < a->ntable; i++) {
		a->table[i].head = (struct table_head *)(a->mem + TABLE_HEAD(i));
		got = make_table(a, &a->table[i], &at);
	}
	if (!got)
		return diag_error(d, D_SYS, NOLOC,
				  "no memory for the keys of aggregations: use -x "
				  "maps=kernel, or raise the memory limit of the control group if "
				  "it has one");
	for (uint32_t i = 0; i < k->p->nmap; i++)
		if (map_in_arena(&k->p->map[i]))
			k->map[i].fd = a->fd;
	err = start_thread(k);
	if (err)
		return diag_error(d, D_SYS, NOLOC,
				  "cannot start the thread that makes aggregations larger: %s",
				  strerror(err));
	return 0;
}

void karena_close(struct kernel *k)
{
	struct karena *a = k->arena;

	if (!a)
		return;
	for (uint32_t i = 0; k->map && i < k->p->nmap; i++)
		if (map_in_arena(&k->p->map[i]))
			k->map[i].fd = -1;
	stop_thread(a);
	if (a->mem != MAP_FAILED)
		munmap(a->mem, a->size);
	if (a->allocator >= 0)
		close(a->allocator);
	if (a->fd >= 0)
		close(a->fd);
	for (uint32_t i = 0; i < a->ntable; i++)
		vec_free(&a->table[i].pending);
	xfree(a->table);
	xfree(a);
	k->arena = NULL;
}

/* -------------------------------------------------------------------- reading */

/* Removes entry @entry from the index. The entry itself is not free yet: it waits in t->pending. */
static void take_out(struct ktable *t, uint64_t entry)
{
	uint64_t *slot = slots_of(t->head), mask = number_of_slots(t->head) - 1;
	uint64_t at = hash_of(t, key_of(t, entry));

	while (slot[at & mask] && (uint32_t)slot[at & mask] != entry + 1)
		at++;
	if (!slot[at & mask])
		BUG("entry %lu is not in the index", (unsigned long)entry);
	__atomic_store_n(&slot[at & mask], TABLE_DEAD, __ATOMIC_RELEASE);
	t->dead++;
	vec_push(&t->pending, (uint32_t)entry);
}

/* Empties the ring of free entries: takes entries out of it as programs do. */
static void empty_ring(struct ktable *t)
{
	struct table_head *h = t->head;

	for (uint64_t at = load(&h->free_head); at != h->free_tail;) {
		uint32_t entry = (uint32_t)t->free[at & h->free_mask];

		if (!__atomic_compare_exchange_n(&h->free_head, &at, at + 1, false,
						 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			continue;
		vec_push(&t->pending, entry);
		at++;
	}
}

/*
 * Makes the ring large enough for all entries that have memory. The ring grows with the table.
 * Empties the ring first: programs do not read an empty ring, so its size may change. Returns false
 * if there is no memory.
 */
static bool grow_ring(struct karena *a, struct ktable *t)
{
	struct table_head *h = t->head;
	uint64_t words = power_of_two(h->room);

	if (words <= t->ring)
		return true;
	if (!allocate(a, h->free + 8 * t->ring, h->free + 8 * words))
		return false;
	empty_ring(t);
	h->free_mask = words - 1;
	t->ring = words;
	return true;
}

/*
 * Frees the removed entries when there are many. An entry may be used again only when no program
 * can hold a pointer to it. Waiting for that takes milliseconds, so many entries wait together.
 */
static void reuse_entries(struct karena *a, struct ktable *t)
{
	struct table_head *h = t->head;

	if (t->pending.n < h->room / PENDING_PART || !grow_ring(a, t))
		return;
	wait_for_programs();
	for (uint32_t cpu = 0; cpu < a->cpus; cpu++)
		for (size_t i = 0; i < t->pending.n; i++)
			memset((char *)value_of(t, t->pending.v[i], cpu), 0, t->value_size);
	for (size_t i = 0; i < t->pending.n; i++)
		t->free[(h->free_tail + i) & h->free_mask] = t->pending.v[i];
	__atomic_store_n(&h->free_tail, h->free_tail + t->pending.n, __ATOMIC_RELEASE);
	t->pending.n = 0;
}

/* The entries of an index. Each set has a bit for each entry, in @nset words. */
struct listed {
	/* all entries; the caller frees the sets, which are one block of memory */
	uint64_t *set;
	uint64_t *twice; /* entries whose key another entry may have, too */
	size_t nset;
	uint64_t n; /* number of entries */
};

static void set_bit(uint64_t *set, uint64_t entry)
{
	set[entry / 64] |= 1ull << entry % 64;
}

/*
 * Compares slot @i with the slots before it, down to the first free slot. Equal keys have equal
 * hashes, and no free slot lies between them. If an earlier slot has an equal hash, marks the
 * entries of both slots. Returns false if the first CLUSTER_MAX slots have no free one.
 */
static bool mark_twice(const uint64_t *slot, uint64_t mask, uint64_t i, uint64_t *twice)
{
	uint64_t word = slot[i], other;

	for (uint64_t n = 1; n < CLUSTER_MAX; n++) {
		other = load(&slot[(i - n) & mask]);
		if (!other)
			return true;
		if (in_use(other) && other >> 32 == word >> 32) {
			set_bit(twice, (uint32_t)word - 1ull);
			set_bit(twice, (uint32_t)other - 1ull);
			return true;
		}
	}
	return false;
}

/* Lists the entries in the index. The table can grow while the caller visits them. */
static struct listed list_entries(struct karena *a, const struct ktable *t)
{
	struct listed all = {0};
	const uint64_t *slot;
	uint64_t nslot;
	bool known = true;

	pthread_mutex_lock(&a->lock);
	slot = slots_of(t->head);
	nslot = number_of_slots(t->head);
	all.nset = t->head->room / 64 + 1;
	all.set = xcalloc(2 * all.nset, sizeof(*all.set));
	all.twice = all.set + all.nset;
	for (uint64_t i = 0; i < nslot; i++) {
		uint64_t word = load(&slot[i]);

		if (!in_use(word))
			continue;
		set_bit(all.set, (uint32_t)word - 1ull);
		all.n++;
		known = known && mark_twice(slot, nslot - 1, i, all.twice);
	}
	pthread_mutex_unlock(&a->lock);
	if (!known)
		memset(all.twice, 0xff, all.nset * sizeof(*all.twice));
	return all;
}

/* Removes all entries. No program may use the table any more. */
static void empty_table(struct ktable *t)
{
	memset(slots_of(t->head), 0, 8 * number_of_slots(t->head));
	t->dead = 0;
}

/*
 * Removes the entries @doomed from a table of @all entries. If many were removed, rebuilds the
 * index and frees the entries. @quiescent means that no program uses the table any more.
 */
static void remove_entries(struct karena *a, struct ktable *t, const struct entries *doomed,
			   uint64_t all, bool quiescent)
{
	pthread_mutex_lock(&a->lock);
	if (quiescent && doomed->n == all) {
		empty_table(t);
	} else {
		for (size_t i = 0; i < doomed->n; i++)
			take_out(t, doomed->v[i]);
		if (!quiescent && t->dead > number_of_slots(t->head) / DEAD_PART)
			replace_index(a, t);
	}
	pthread_mutex_unlock(&a->lock);
	if (!quiescent)
		reuse_entries(a, t);
}

/* A walk through the entries of a table. */
struct walk {
	const struct kernel *k;
	struct ktable *t;
	char *value; /* the values of all CPUs */
	struct entries doomed;
	kmap_fn *fn;
	void *ctx;
};

static void visit_entry(struct walk *w, uint64_t entry)
{
	const struct ktable *t = w->t;

	for (uint32_t c = 0; c < w->k->src.ncpu; c++)
		memcpy(w->value + (size_t)c * t->value_size, value_of(t, entry, w->k->cpu[c]),
		       t->value_size);
	if (w->fn(w->ctx, key_of(t, entry), w->value))
		vec_push(&w->doomed, (uint32_t)entry);
}

/* Visits the entries in word @i of a set, in the order of their addresses. */
static void visit_entries(struct walk *w, size_t i, uint64_t word)
{
	for (; word; word &= word - 1)
		visit_entry(w, 64 * i + (unsigned)__builtin_ctzll(word));
}

/*
 * First visits the keys that may come twice. There are few of them. For each, the consumer checks
 * whether the key has come before; the other keys need no check.
 */
int karena_each(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx)
{
	struct karena *a = k->arena;
	struct ktable *t = &a->table[k->map[map].table];
	struct walk w = {.k = k, .t = t, .fn = fn, .ctx = ctx};
	struct listed all = list_entries(a, t);

	w.value = xcalloc(k->src.ncpu, t->value_size);
	k->src.distinct = false;
	for (size_t i = 0; i < all.nset; i++)
		visit_entries(&w, i, all.set[i] & all.twice[i]);
	k->src.distinct = true;
	for (size_t i = 0; i < all.nset; i++)
		visit_entries(&w, i, all.set[i] & ~all.twice[i]);
	remove_entries(a, t, &w.doomed, all.n, k->quiescent);
	vec_free(&w.doomed);
	xfree(w.value);
	xfree(all.set);
	return 0;
}
