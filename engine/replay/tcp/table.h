/*
 * table.h - the TCP connections of a capture, found by their addresses and ports.
 *
 * At most as many as tcp_table_init() was told.  When there is no room, the
 * connection that has been in TIME_WAIT longest is given up, else one that has
 * seen no packet for long (the hand of a clock goes round); that is counted.
 *
 * A connection that has come to its end leaves a tombstone, a twelfth of its size,
 * by which late packets of it are known.  Graves are as many as connections; the
 * oldest is forgotten first.
 *
 * Connections stay where they are for as long as they live, in one region whose
 * address is the same in every run: programs get pointers into it.
 */
#ifndef REPLAY_TCP_TABLE_H
#define REPLAY_TCP_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "engine/replay/tcp/sock.h"

struct diag;

/* The two ends in an order of their own; all bytes count. */
struct tcp_key {
	uint64_t addr[2][2]; /* as in packets; IPv4: the first 4 bytes, the others 0 */
	uint64_t ends;       /* tcp_key_ends() */
};

/* The ports, in host order, and IP's version. */
static inline uint64_t tcp_key_ends(uint16_t port0, uint16_t port1, int version)
{
	return (uint64_t)port0 | (uint64_t)port1 << 16 | (uint64_t)version << 32;
}

static inline bool tcp_key_same(const struct tcp_key *a, const struct tcp_key *b)
{
	return !((a->addr[0][0] ^ b->addr[0][0]) | (a->addr[0][1] ^ b->addr[0][1]) |
		 (a->addr[1][0] ^ b->addr[1][0]) | (a->addr[1][1] ^ b->addr[1][1]) |
		 (a->ends ^ b->ends));
}

enum tcp_attempt {
	TCP_ATT_NONE, /* no SYN seen, or a reset has ended it */
	TCP_ATT_OPENING,
	TCP_ATT_DONE, /* the handshake is complete */
};

struct tcp_conn {
	_Alignas(64) struct tcp_key key;
	uint32_t number; /* from 1 */
	bool used, recent;
	bool waiting;         /* in the list of those in TIME_WAIT */
	bool listener;        /* end[1] is a listening socket, end[0] nobody */
	bool was_established; /* an end was established */
	/* both are, and segments with no other flag than ACK do not change that */
	bool fast_path_ok;

	/* The handshake: between whom, how far. */
	uint8_t attempt; /* enum tcp_attempt */
	uint8_t opener;  /* which end's SYN came first */
	bool has_synack, has_syn2;
	bool was_reset;   /* a reset other than a refusal has ended it */
	bool acked[2];    /* simultaneous open: this end's SYN is */
	uint32_t iss;     /* of the SYN */
	uint32_t syn_len; /* data on it */
	uint32_t synack;  /* sequence number of the SYN+ACK */
	uint32_t syn2;    /* of the other end's SYN */

	uint32_t prev, next; /* in the list of those in TIME_WAIT; 0: none */
	uint64_t since;      /* in TIME_WAIT */
	struct tcp_end end[2];
};

struct tcp_tombstone {
	struct tcp_key key;
	uint64_t since;
	uint32_t iss, syn2;
	bool used, has_syn2;
	bool done; /* its handshake was complete: these SYNs are old ones */
	uint8_t opener;
};

struct tcp_table {
	struct tcp_shared *shared;
	struct tcp_conn *conn;           /* of max; the region begins with shared */
	struct tcp_tombstone *tombstone; /* of max: a ring */
	uint64_t *slot;                  /* owned: hash << 32 | number; 0: empty */
	uint32_t nslot, inuse;           /* nslot: a power of 2 */
	uint32_t max;
	uint32_t first_unused; /* connections never used start here */
	uint32_t clock_hand, next_tombstone;
	uint32_t *free_numbers; /* owned: numbers of connections given back */
	uint32_t nfree, free_max;
	uint32_t time_wait_first, time_wait_last, ntime_wait;
	uint64_t evicted;
	bool shown; /* programs look at sockets for each segment */
	void *region;
	size_t region_len;
};

#define TCP_CONNS_MIN 16
#define TCP_CONNS_MAX (1u << 30)
#define TCP_CONNS_DEFAULT (1u << 20)

/*
 * @max: moved into those limits.  0, or -1 with the error in @d.  @blank: what every socket is like
 * at first.
 */
int tcp_table_init(struct tcp_table *t, uint32_t max, const struct sock *blank, struct diag *d);
void tcp_table_release(struct tcp_table *t);

/* For a table of @key's: the same in this process and those it has forked. */
static inline uint32_t tcp_key_hash(const struct tcp_key *k)
{
	unsigned __int128 sum;

	if (k->ends >> 32 == 4)
		return (uint32_t)hash_end(&hash_key,
					  hash_pair(&hash_key, 0,
						    k->addr[0][0] | k->addr[1][0] << 32, k->ends),
					  4);
	sum = hash_pair(&hash_key, 0, k->addr[0][0], k->addr[0][1]);
	sum += hash_pair(&hash_key, 1, k->addr[1][0], k->addr[1][1]);
	sum += hash_pair(&hash_key, 2, k->ends, 0);
	return (uint32_t)hash_end(&hash_key, sum, 6);
}

/*
 * A key with the hash @h is going to be looked for: what that will look at is fetched from memory,
 * first the slot, and after a while what the slot names.
 */
static inline void tcp_table_prefetch_slot(const struct tcp_table *t, uint32_t h)
{
	__builtin_prefetch(&t->slot[h & (t->nslot - 1)]);
}

/* The second half.  The number of the connection it may be; 0: there is none. */
uint32_t tcp_table_prefetch_conn(const struct tcp_table *t, uint32_t h);

/* At most one of the two is set. */
struct tcp_found {
	struct tcp_conn *conn;
	struct tcp_tombstone *tombstone;
};

/* The connection with that number, if it is @k's; else NULL. */
static inline struct tcp_conn *tcp_table_at(const struct tcp_table *t, uint32_t number,
					    const struct tcp_key *k)
{
	struct tcp_conn *c;

	if (!number)
		return NULL;
	c = &t->conn[number - 1];
	if (!c->used || !tcp_key_same(&c->key, k))
		return NULL;
	c->recent = true;
	return c;
}

/* @h: its hash. */
struct tcp_found tcp_table_find(struct tcp_table *t, const struct tcp_key *k, uint32_t h);

/* The slots that finding each connection and tombstone once looks at. */
uint64_t tcp_table_probes(const struct tcp_table *t);

/*
 * A new connection, all zero but for its key, which must not be there.  @keep
 * (may be NULL) is not given up for it.
 */
struct tcp_conn *tcp_table_add(struct tcp_table *t, const struct tcp_key *k,
			       const struct tcp_conn *keep);
void tcp_table_remove(struct tcp_table *t, struct tcp_conn *c);

/* The end of @c: a tombstone is left. */
void tcp_table_retire(struct tcp_table *t, struct tcp_conn *c, uint64_t now);
void tcp_table_forget(struct tcp_table *t, struct tcp_tombstone *g);

/* @c is in TIME_WAIT from @now on, and so the last of those; or no more. */
void tcp_table_time_wait_add(struct tcp_table *t, struct tcp_conn *c, uint64_t now);
void tcp_table_time_wait_remove(struct tcp_table *t, struct tcp_conn *c);

/* So many in TIME_WAIT are kept; a tombstone does for the others. */
static inline uint32_t tcp_table_time_wait_max(const struct tcp_table *t)
{
	return t->max / 16;
}

/* The one that has been there longest; NULL: none. */
static inline struct tcp_conn *tcp_table_time_wait_oldest(struct tcp_table *t)
{
	return t->time_wait_first ? &t->conn[t->time_wait_first - 1] : NULL;
}

#endif
