/*
 * reassemble.c - reassembles fragments of IPv4 and IPv6.
 *
 * The kept pieces of a datagram never overlap, so a datagram is complete when the lengths of its
 * pieces add up to its end. Pieces that arrive in order, without a gap, form a run. The runs of a
 * datagram are in a treap, ordered by offset. A treap is a random search tree, whose shape an
 * attacker cannot predict. A hash table finds incomplete datagrams. They are also in a list, in the
 * order of their first fragments. The head of the list times out first, and is dropped first if
 * memory is short.
 */
#include "engine/replay/reassemble.h"

#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "engine/replay/fixed_memory.h"

#define SLOTS 4096 /* size of the hash table; a power of two */
#define LENGTH_MAX 65535
#define DATAGRAM_MAX (40 + LENGTH_MAX) /* the length of IPv6 does not include the IPv6 header */

/* The key that identifies a datagram, as in the kernel. */
struct key {
	unsigned char addr[32]; /* source address, then destination address */
	uint32_t id;
	uint32_t proto; /* protocol; used for IPv4 only */
};

struct piece {
	struct piece *next; /* next piece of the run */
	uint32_t off, len;
	uint32_t captured;
	unsigned char data[];
};

/*
 * Pieces that follow one another without a gap. A new piece joins a run only if it begins where the
 * run ends, and the run has the highest offset in its datagram.
 */
struct run {
	struct run *left, *right;
	/* hash of the offset with a random key; the root of the treap has the highest priority */
	uint64_t priority;
	uint32_t off, end;
	struct piece *first, *last;
};

/* The fragments of an incomplete datagram. */
struct queue {
	struct key key;
	struct queue *chain; /* next datagram in the same slot of the hash table */
	struct queue *older, *newer;
	uint64_t start;
	struct run *root;
	struct run *last; /* the run at the highest offset */
	uint32_t end;     /* highest known offset of the end of a fragment */
	uint32_t have;    /* total number of bytes of the pieces */
	bool last_in;     /* `end` is the end of the datagram */
	uint32_t memory;
	/* headers copied from the fragment at offset 0; NULL until that fragment arrives */
	unsigned char *header;
	uint32_t header_len;
};

/* Incomplete datagrams of one IP version. */
struct pool {
	struct queue *slot[SLOTS];
	struct queue *oldest, *newest;
	uint64_t time;
	uint32_t memory;
};

struct reassembly {
	struct pool pool[2];
	struct reassemble_loss loss;
	unsigned char *whole; /* buffer of DATAGRAM_MAX bytes for a reassembled datagram */
};

/* The contents of a fragment, as read from its headers. */
struct part {
	struct key key;
	const unsigned char *data;
	uint32_t off, end;
	uint32_t captured; /* number of captured bytes at data */
	bool more;
	uint8_t next_header; /* next header after the fragment header; used for IPv6 only */
};

static uint32_t be16(const unsigned char *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t be32(const unsigned char *p)
{
	return be16(p) << 16 | be16(p + 2);
}

static void put_be16(unsigned char *p, uint32_t v)
{
	p[0] = (unsigned char)(v >> 8);
	p[1] = (unsigned char)v;
}

/* ----------------------------------------------------------- making and freeing */

struct reassembly *reassembly_new(void)
{
	struct reassembly *r = xcalloc(1, sizeof(*r));

	r->pool[0].time = REASSEMBLE_TIME4;
	r->pool[1].time = REASSEMBLE_TIME6;
	r->whole = fixed_memory_map(FIXED_DATAGRAM, DATAGRAM_MAX);
	return r;
}

static uint32_t slot_of(const struct key *k)
{
	return hash_bytes(k, sizeof(*k)) & (SLOTS - 1);
}

static void unlink_queue(struct pool *p, struct queue *q)
{
	struct queue **at = &p->slot[slot_of(&q->key)];

	while (*at != q)
		at = &(*at)->chain;
	*at = q->chain;
	*(q->older ? &q->older->newer : &p->oldest) = q->newer;
	*(q->newer ? &q->newer->older : &p->newest) = q->older;
}

static void free_runs(struct run *t)
{
	struct piece *next;

	if (!t)
		return;
	free_runs(t->left);
	free_runs(t->right);
	for (struct piece *i = t->first; i; i = next) {
		next = i->next;
		xfree(i);
	}
	xfree(t);
}

static void drop_queue(struct pool *p, struct queue *q)
{
	unlink_queue(p, q);
	p->memory -= q->memory;
	free_runs(q->root);
	xfree(q->header);
	xfree(q);
}

/* Drops the datagram and increments the counter @why. */
static void give_up(struct pool *p, struct queue *q, uint64_t *why)
{
	(*why)++;
	drop_queue(p, q);
}

void reassembly_end(struct reassembly *r)
{
	for (int i = 0; r && i < 2; i++)
		while (r->pool[i].oldest)
			give_up(&r->pool[i], r->pool[i].oldest, &r->loss.missing);
}

void reassembly_free(struct reassembly *r)
{
	if (!r)
		return;
	reassembly_end(r);
	fixed_memory_unmap(r->whole, DATAGRAM_MAX);
	xfree(r);
}

struct reassemble_loss reassembly_loss(const struct reassembly *r)
{
	return r ? r->loss : (struct reassemble_loss){0};
}

uint32_t reassembly_memory(const struct reassembly *r, int version)
{
	return r->pool[version == 6].memory;
}

/* ------------------------------------------------------------- finding the queue */

static struct queue *add_queue(struct pool *p, const struct key *k, uint32_t slot, uint64_t now)
{
	struct queue *q = xcalloc(1, sizeof(*q));

	q->key = *k;
	q->start = now;
	q->memory = sizeof(*q);
	p->memory += q->memory;
	q->chain = p->slot[slot];
	p->slot[slot] = q;
	q->older = p->newest;
	*(p->newest ? &p->newest->newer : &p->oldest) = q;
	p->newest = q;
	return q;
}

/* Finds the queue of the datagram with key @k, or adds one. */
static struct queue *find_queue(struct pool *p, const struct key *k, uint64_t now)
{
	uint32_t slot = slot_of(k);
	struct queue *q = p->slot[slot];

	while (q && memcmp(&q->key, k, sizeof(*k)) != 0)
		q = q->chain;
	return q ? q : add_queue(p, k, slot, now);
}

static void expire(struct reassembly *r, struct pool *p, uint64_t now)
{
	while (p->oldest && now - p->oldest->start >= p->time)
		give_up(p, p->oldest, &r->loss.missing);
}

static void make_room(struct reassembly *r, struct pool *p)
{
	while (p->memory > REASSEMBLE_MEMORY)
		give_up(p, p->oldest, &r->loss.room);
}

/* ------------------------------------------------------------ reading a fragment */

/*
 * Reads an IPv4 fragment: u16 total length at 2, u16 identification at 4, u16 flags and offset at
 * 6, u8 protocol at 9, addresses at 12.
 */
static bool read4(const struct fragment *f, struct part *out)
{
	const unsigned char *ip = f->ip;
	uint32_t hlen = (ip[0] & 15) * 4u, total = be16(ip + 2), len;

	if (total <= hlen || total > f->wirelen)
		return false;
	len = total - hlen;
	memcpy(out->key.addr, ip + 12, 8);
	out->key.id = be16(ip + 4);
	out->key.proto = ip[9];
	out->more = ip[6] & 0x20;
	out->off = (be16(ip + 6) & 0x1fff) * 8;
	out->data = ip + hlen;
	out->captured = f->captured - hlen;
	/* ignore an incomplete unit of 8 bytes, as Linux does */
	out->end = out->off + (out->more ? len & ~7u : len);
	return true;
}

/*
 * Reads an IPv6 fragment: u16 payload length at 4, addresses at 8. Its fragment header: u8 next
 * header, u8 0, u16 offset and more-fragments bit, u32 identification.
 */
static bool read6(const struct fragment *f, struct part *out)
{
	const unsigned char *ip = f->ip, *h = ip + f->at;
	uint32_t total = 40 + be16(ip + 4), hlen = f->at + 8u, len;

	if (total <= hlen || total > f->wirelen)
		return false;
	len = total - hlen;
	memcpy(out->key.addr, ip + 8, 32);
	out->key.id = be32(h + 4);
	out->more = h[3] & 1;
	out->off = be16(h + 2) & 0xfff8;
	out->data = ip + hlen;
	out->captured = f->captured - hlen;
	out->end = out->off + len;
	out->next_header = h[0];
	/* Linux ignores a fragment that breaks these rules, and keeps the other fragments. */
	return out->end <= LENGTH_MAX && !(out->more && len & 7);
}

/* Reads the fragment @f into @out. Returns false for a fragment that Linux ignores. */
static bool read_part(const struct fragment *f, struct part *out)
{
	*out = (struct part){0};
	if (!(f->version == 4 ? read4(f, out) : read6(f, out)))
		return false;
	if (out->captured > out->end - out->off)
		out->captured = out->end - out->off; /* the bytes after the end are padding */
	return true;
}

/* ----------------------------------------------------------- adding a fragment */

enum verdict { ADDED, DUPLICATE, MISFIT };

/*
 * Updates the known end of the datagram. Returns false if part @p is empty or contradicts the end
 * that is already known.
 */
static bool end_fits(struct queue *q, const struct part *p)
{
	if (p->end == p->off)
		return false;
	if (!p->more) {
		if (p->end < q->end || (q->last_in && p->end != q->end))
			return false;
		q->last_in = true;
	} else if (p->end > q->end && q->last_in) {
		return false;
	}
	if (p->end > q->end)
		q->end = p->end;
	return true;
}

static struct piece *new_piece(const struct part *part)
{
	struct piece *p = xmalloc(sizeof(*p) + part->captured);

	*p = (struct piece){.off = part->off,
			    .len = part->end - part->off,
			    .captured = part->captured};
	memcpy(p->data, part->data, part->captured);
	return p;
}

static struct run *plant(struct run *t, struct run *r)
{
	struct run **side, *up;

	if (!t)
		return r;
	side = r->off < t->off ? &t->left : &t->right;
	*side = up = plant(*side, r);
	if (up->priority <= t->priority)
		return t;
	if (side == &t->left) {
		t->left = up->right;
		up->right = t;
	} else {
		t->right = up->left;
		up->left = t;
	}
	return up;
}

static void new_run(struct queue *q, struct piece *p)
{
	struct run *r = xcalloc(1, sizeof(*r));

	r->priority = hash_bytes(&p->off, sizeof(p->off));
	r->off = p->off;
	r->end = p->off + p->len;
	r->first = r->last = p;
	if (!q->last || q->last->end <= r->off)
		q->last = r;
	q->root = plant(q->root, r);
}

static void append(struct run *r, struct piece *p)
{
	r->last->next = p;
	r->last = p;
	r->end = p->off + p->len;
}

/*
 * Returns whether the part can be added, is a duplicate, or overlaps a run in part. As in Linux, a
 * part that lies inside a run is a duplicate.
 */
static enum verdict fits(const struct queue *q, const struct part *part)
{
	const struct run *t = q->root;

	if (q->last && part->off >= q->last->end) /* the fragments arrive in order, as usual */
		return ADDED;
	while (t) {
		if (part->end <= t->off)
			t = t->left;
		else if (part->off >= t->end)
			t = t->right;
		else
			return part->off >= t->off && part->end <= t->end ? DUPLICATE : MISFIT;
	}
	return ADDED;
}

/*
 * Inserts the part into the datagram. Returns ADDED, or the reason why the part was not inserted.
 */
static enum verdict insert(struct queue *q, const struct part *part)
{
	enum verdict v = fits(q, part);
	struct piece *p;

	if (v != ADDED)
		return v;
	p = new_piece(part);
	if (q->last && p->off == q->last->end)
		append(q->last, p);
	else
		new_run(q, p);
	q->have += p->len;
	return ADDED;
}

/* Keeps a copy of the fragment's IP headers, which will begin the reassembled datagram. */
static void keep_header(struct queue *q, const struct fragment *f, const struct part *part)
{
	q->header_len = f->version == 4 ? (f->ip[0] & 15) * 4u : f->at;
	q->header = xmalloc(q->header_len);
	memcpy(q->header, f->ip, q->header_len);
	if (f->version == 6)
		q->header[f->next] = part->next_header;
}

static void account(struct pool *pool, struct queue *q, uint32_t n)
{
	q->memory += n;
	pool->memory += n;
}

static enum verdict add_part(struct pool *pool, struct queue *q, const struct fragment *f,
			     const struct part *part)
{
	enum verdict v;

	if (!end_fits(q, part))
		return MISFIT;
	v = insert(q, part);
	if (v != ADDED)
		return v;
	account(pool, q, (uint32_t)(sizeof(struct piece) + sizeof(struct run)) + part->captured);
	if (!part->off) {
		keep_header(q, f, part);
		account(pool, q, q->header_len);
	}
	return ADDED;
}

/* ------------------------------------------------------------- building the datagram */

static void finish_header4(unsigned char *ip, uint32_t hlen, uint32_t total)
{
	uint32_t sum = 0;

	put_be16(ip + 2, total);
	put_be16(ip + 6, 0);
	put_be16(ip + 10, 0);
	for (uint32_t i = 0; i < hlen; i += 2)
		sum += be16(ip + i);
	sum = (sum & 0xffff) + (sum >> 16);
	put_be16(ip + 10, ~(sum + (sum >> 16)));
}

/*
 * Copies the data of the runs of @t, and sets *@n to the end of the copied bytes. Stops at the
 * first byte that was not captured, and then returns false.
 */
static bool gather(const struct run *t, unsigned char *to, uint32_t *n)
{
	if (!t)
		return true;
	if (!gather(t->left, to, n))
		return false;
	for (const struct piece *p = t->first; p; p = p->next) {
		memcpy(to + p->off, p->data, p->captured);
		*n = p->off + p->captured;
		if (p->captured < p->len)
			return false;
	}
	return gather(t->right, to, n);
}

/*
 * Builds the whole datagram in r->whole. Returns false if the datagram would be longer than IP
 * allows.
 */
static bool put_together(const struct reassembly *r, const struct queue *q, int version,
			 struct datagram *out)
{
	uint32_t total = q->header_len + q->end, n = 0;

	if (total - (version == 6 ? 40 : 0) > LENGTH_MAX)
		return false;
	memcpy(r->whole, q->header, q->header_len);
	if (version == 4)
		finish_header4(r->whole, q->header_len, total);
	else
		put_be16(r->whole + 4, total - 40);
	out->data = r->whole;
	gather(q->root, r->whole + q->header_len, &n);
	out->captured = q->header_len + n;
	out->wirelen = total;
	return true;
}

bool reassemble(struct reassembly *r, const struct fragment *f, uint64_t now, struct datagram *out)
{
	struct pool *pool = &r->pool[f->version == 6];
	struct queue *q;
	struct part part;
	enum verdict v;

	expire(r, pool, now);
	if (!read_part(f, &part)) {
		r->loss.ignored++;
		return false;
	}
	q = find_queue(pool, &part.key, now);
	v = add_part(pool, q, f, &part);
	if (v == ADDED && q->last_in && q->have == q->end) {
		if (put_together(r, q, f->version, out)) {
			drop_queue(pool, q);
			return true;
		}
		v = MISFIT;
	}
	if (v == MISFIT)
		give_up(pool, q, &r->loss.overlap);
	else
		make_room(r, pool);
	return false;
}

static uint64_t depths(const struct run *t, uint64_t depth)
{
	return t ? depth + depths(t->left, depth + 1) + depths(t->right, depth + 1) : 0;
}

uint64_t reassembly_probes(const struct reassembly *r)
{
	uint64_t sum = 0;

	for (int i = 0; i < 2; i++) {
		for (uint32_t s = 0; s < SLOTS; s++) {
			uint64_t n = 0;

			for (const struct queue *q = r->pool[i].slot[s]; q; q = q->chain)
				sum += ++n + depths(q->root, 1);
		}
	}
	return sum;
}
