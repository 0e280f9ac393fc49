/*
 * table.c - finds, adds and removes TCP connections.
 *
 * The table uses open addressing with linear probing. A slot has 32 bits of the hash beside the
 * number of the connection, so a search hardly ever reads the wrong connection. When an entry is
 * removed, later entries are moved back, so there are no markers of deleted entries.
 */
#include "engine/replay/tcp/table.h"

#include <string.h>
#include <sys/mman.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "ir/program.h"

#define AT ((void *)0x210000000000)
#define SLOTS_FIRST 4096

static struct tcp_key *key_of(const struct tcp_table *t, uint32_t number)
{
	if (number & TCP_TOMBSTONE)
		return &t->tombstone[(number & ~TCP_TOMBSTONE) - 1].key;
	return &t->conn[number - 1].key;
}

/* ------------------------------------------------------------------- the hash */

static uint64_t slot_of(uint32_t h, uint32_t number)
{
	return (uint64_t)h << 32 | number;
}

static void put(struct tcp_table *t, uint64_t s)
{
	uint32_t i = (uint32_t)(s >> 32);

	while (t->slot[i & (t->nslot - 1)])
		i++;
	t->slot[i & (t->nslot - 1)] = s;
}

static void grow(struct tcp_table *t)
{
	uint64_t *old = t->slot;
	uint32_t n = t->nslot, i;

	t->nslot = n * 2;
	t->slot = xcalloc(t->nslot, sizeof(*t->slot));
	for (i = 0; i < n; i++)
		if (old[i])
			put(t, old[i]);
	xfree(old);
}

static void insert(struct tcp_table *t, uint32_t number)
{
	if (++t->inuse > t->nslot / 8 * 5)
		grow(t);
	put(t, slot_of(tcp_key_hash(key_of(t, number)), number));
}

static uint32_t position(const struct tcp_table *t, uint32_t number)
{
	uint32_t h = tcp_key_hash(key_of(t, number)), i = h;

	while (t->slot[i & (t->nslot - 1)] != slot_of(h, number))
		i++;
	return i & (t->nslot - 1);
}

/*
 * Removes the slot of @number. A search ends at an empty slot. So later entries are moved back if a
 * search for them would now end too early.
 */
static void erase(struct tcp_table *t, uint32_t number)
{
	uint32_t mask = t->nslot - 1, gap = position(t, number), i = gap, home;

	for (;;) {
		t->slot[gap] = 0;
		do {
			i = (i + 1) & mask;
			if (!t->slot[i]) {
				t->inuse--;
				return;
			}
			home = (uint32_t)(t->slot[i] >> 32) & mask;
		} while (((i - home) & mask) < ((i - gap) & mask));
		t->slot[gap] = t->slot[i];
		gap = i;
	}
}

struct tcp_found tcp_table_find(struct tcp_table *t, const struct tcp_key *k, uint32_t h)
{
	struct tcp_found none = {NULL, NULL};
	uint32_t i = h, number;
	uint64_t s;

	for (; (s = t->slot[i & (t->nslot - 1)]); i++) {
		if (s >> 32 != h)
			continue;
		number = (uint32_t)s;
		if (!tcp_key_same(key_of(t, number), k))
			continue;
		if (number & TCP_TOMBSTONE)
			return (struct tcp_found){NULL,
						  &t->tombstone[(number & ~TCP_TOMBSTONE) - 1]};
		t->conn[number - 1].recent = true;
		return (struct tcp_found){&t->conn[number - 1], NULL};
	}
	return none;
}

uint64_t tcp_table_probes(const struct tcp_table *t)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < t->nslot; i++)
		if (t->slot[i])
			sum += 1 + ((i - (uint32_t)(t->slot[i] >> 32)) & (t->nslot - 1));
	return sum;
}

/* ------------------------------------------------------------------- TIME_WAIT */

void tcp_table_time_wait_add(struct tcp_table *t, struct tcp_conn *c, uint64_t now)
{
	tcp_table_time_wait_remove(t, c);
	c->in_time_wait = true;
	t->ntime_wait++;
	c->since = now;
	c->prev = t->time_wait_last;
	c->next = 0;
	if (c->prev)
		t->conn[c->prev - 1].next = c->number;
	else
		t->time_wait_first = c->number;
	t->time_wait_last = c->number;
}

void tcp_table_time_wait_remove(struct tcp_table *t, struct tcp_conn *c)
{
	if (!c->in_time_wait)
		return;
	c->in_time_wait = false;
	t->ntime_wait--;
	if (c->prev)
		t->conn[c->prev - 1].next = c->next;
	else
		t->time_wait_first = c->next;
	if (c->next)
		t->conn[c->next - 1].prev = c->prev;
	else
		t->time_wait_last = c->prev;
}

/* -------------------------------------------------------- adding and removing */

/*
 * Returns a connection that has had no packet since clock_hand last passed it. Such a connection is
 * approximately the connection with the longest idle time.
 */
static struct tcp_conn *idle_connection(struct tcp_table *t, const struct tcp_conn *keep)
{
	struct tcp_conn *c;

	for (;;) {
		c = &t->conn[t->clock_hand];
		t->clock_hand = t->clock_hand + 1 == t->max ? 0 : t->clock_hand + 1;
		if (!c->used || c == keep)
			continue;
		if (!c->recent)
			return c;
		c->recent = false;
	}
}

static void make_room(struct tcp_table *t, const struct tcp_conn *keep)
{
	struct tcp_conn *c = tcp_table_time_wait_oldest(t);

	if (!c || c == keep)
		c = idle_connection(t, keep);
	t->evicted++;
	tcp_table_remove(t, c);
}

static uint32_t free_number(struct tcp_table *t, const struct tcp_conn *keep)
{
	if (!t->nfree && t->first_unused == t->max)
		make_room(t, keep);
	return t->nfree ? t->free_numbers[--t->nfree] : ++t->first_unused;
}

struct tcp_conn *tcp_table_add(struct tcp_table *t, const struct tcp_key *k,
			       const struct tcp_conn *keep)
{
	uint32_t n = free_number(t, keep);
	struct tcp_conn *c = &t->conn[n - 1];

	memset(c, 0, sizeof(*c));
	c->key = *k;
	c->number = n;
	c->used = c->recent = true;
	insert(t, n);
	return c;
}

void tcp_table_remove(struct tcp_table *t, struct tcp_conn *c)
{
	tcp_table_time_wait_remove(t, c);
	erase(t, c->number);
	tcp_end_release(&c->end[0]);
	tcp_end_release(&c->end[1]);
	c->used = false;
	if (t->nfree == t->free_max) {
		t->free_max = t->free_max ? t->free_max * 2 : 64;
		t->free_numbers = xrealloc(t->free_numbers, t->free_max * sizeof(*t->free_numbers));
	}
	t->free_numbers[t->nfree++] = c->number;
}

void tcp_table_retire(struct tcp_table *t, struct tcp_conn *c, uint64_t now)
{
	struct tcp_tombstone *g = &t->tombstone[t->next_tombstone];

	if (g->used)
		tcp_table_forget(t, g);
	*g = (struct tcp_tombstone){.key = c->key,
				    .iss = c->iss,
				    .syn2 = c->syn2,
				    .used = true,
				    .has_syn2 = c->has_syn2,
				    .done = c->attempt == TCP_ATT_DONE,
				    .opener = c->opener,
				    .since = now};
	tcp_table_remove(t, c);
	t->next_tombstone = t->next_tombstone + 1 == t->max ? 0 : t->next_tombstone + 1;
	insert(t, (uint32_t)(g - t->tombstone + 1) | TCP_TOMBSTONE);
}

void tcp_table_forget(struct tcp_table *t, struct tcp_tombstone *g)
{
	erase(t, (uint32_t)(g - t->tombstone + 1) | TCP_TOMBSTONE);
	g->used = false;
}

/* -------------------------------------------------------------------- memory */

static size_t rounded(size_t n)
{
	return (n + 63) & ~(size_t)63;
}

/* Reserves the region. The kernel allocates its pages when they are first used. */
static void *map_region(size_t len)
{
	const int prot = PROT_READ | PROT_WRITE;
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	void *at = mmap(AT, len, prot, flags | MAP_FIXED_NOREPLACE, -1, 0);

	if (at == MAP_FAILED)
		at = mmap(NULL, len, prot, flags, -1, 0);
	if (at != MAP_FAILED)
		madvise(at, len, MADV_HUGEPAGE); /* a failure does no harm */
	return at;
}

int tcp_table_init(struct tcp_table *t, uint32_t max, const struct sock *blank, struct diag *d)
{
	size_t head = rounded(sizeof(*t->shared)), conns;

	*t = (struct tcp_table){.max = max < TCP_CONNS_MIN   ? TCP_CONNS_MIN
				       : max > TCP_CONNS_MAX ? TCP_CONNS_MAX
							     : max};
	conns = rounded(t->max * sizeof(*t->conn));
	t->region_len = head + conns + t->max * sizeof(*t->tombstone) + REPLAY_READABLE;
	t->region = map_region(t->region_len);
	if (t->region == MAP_FAILED) {
		t->region = NULL;
		return diag_error(d, D_SYS, NOLOC,
				  "no memory for %u TCP connections: use a smaller -x conns",
				  t->max);
	}
	t->shared = t->region;
	t->conn = (void *)((char *)t->region + head);
	t->tombstone = (void *)((char *)t->region + head + conns);
	t->shared->connected.fastreuse = -1;
	t->shared->blank = *blank;
	t->nslot = SLOTS_FIRST;
	t->slot = xcalloc(t->nslot, sizeof(*t->slot));
	return 0;
}

void tcp_table_release(struct tcp_table *t)
{
	uint32_t i;

	for (i = 0; i < t->first_unused; i++) {
		if (!t->conn[i].used)
			continue;
		tcp_end_release(&t->conn[i].end[0]);
		tcp_end_release(&t->conn[i].end[1]);
	}
	if (t->region)
		munmap(t->region, t->region_len);
	xfree(t->slot);
	xfree(t->free_numbers);
	*t = (struct tcp_table){0};
}
