/*
 * table.h - the TCP connections of a capture, found by addresses and ports.
 *
 * The number of connections is limited; see tcp_table_init(). If the table is full, it evicts the
 * connection that has been in TIME_WAIT longest, or else a connection without recent packets
 * (chosen by the clock algorithm), and counts the eviction.
 *
 * A finished connection leaves a tombstone, a small struct that helps to recognise late packets of
 * the connection. The table has room for as many tombstones as connections, and reuses the oldest
 * tombstone first.
 *
 * Connections never move. They are in one region whose address is the same in every run, because
 * programs get pointers into it.
 */
#ifndef ENGINE_REPLAY_TCP_TABLE_H
#define ENGINE_REPLAY_TCP_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "engine/replay/tcp/sock.h"

struct diag;

/*
 * The two ends of a connection, in an order that does not depend on the direction of the packet.
 * All bytes of two keys are compared, so unused bytes must be 0.
 */
struct tcp_key {
	/*
	 * IPv6: the addresses in network byte order. IPv4: addr[0] has the ends, each packed by
	 * tcp_key_end4(); addr[1] is unused.
	 */
	uint64_t addr[2][2];
	/* IP version and, for IPv6, ports, packed by tcp_key_ends() */
	uint64_t ends;
};

/* Packs the two ports, in host byte order, and the IP version into one word. */
static inline uint64_t tcp_key_ends(uint16_t port0, uint16_t port1, int version)
{
	return (uint64_t)port0 | (uint64_t)port1 << 16 | (uint64_t)version << 32;
}

/*
 * Packs an IPv4 address, in network byte order, and a port in host byte order into one word.
 * Comparing two such words compares the addresses, and then the ports.
 */
static inline uint64_t tcp_key_end4(const unsigned char *addr, uint16_t port)
{
	uint32_t a;

	memcpy(&a, addr, sizeof(a));
	return (uint64_t)__builtin_bswap32(a) << 16 | port;
}

static inline unsigned tcp_key_version(const struct tcp_key *k)
{
	return (unsigned)(k->ends >> 32);
}

static inline bool tcp_key_same(const struct tcp_key *a, const struct tcp_key *b)
{
	return !((a->addr[0][0] ^ b->addr[0][0]) | (a->addr[0][1] ^ b->addr[0][1]) |
		 (a->addr[1][0] ^ b->addr[1][0]) | (a->addr[1][1] ^ b->addr[1][1]) |
		 (a->ends ^ b->ends));
}

enum tcp_attempt {
	TCP_ATT_NONE, /* no SYN has been seen, or a reset has ended the connection */
	TCP_ATT_OPENING,
	TCP_ATT_DONE, /* the handshake is complete */
};

struct tcp_conn {
	_Alignas(64) struct tcp_key key;
	uint32_t number; /* index of the connection in the table, plus 1 */
	bool used, recent;
	/*
	 * the connection is in the TIME_WAIT list: an end is in TIME_WAIT, or has been closed after
	 * the FINs of both ends
	 */
	bool in_time_wait;
	bool listener;        /* end[1] is a listening socket; end[0] is unused */
	bool was_established; /* an end has been established */
	/*
	 * both ends are established, so a segment with ACK and without SYN, FIN and RST may take
	 * the fast path
	 */
	bool fast_path_ok;

	/* State of the handshake. */
	uint8_t attempt; /* enum tcp_attempt */
	uint8_t opener;  /* index of the end whose SYN came first */
	bool has_synack, has_syn2;
	bool no_syn;    /* the capture lacks the SYN, or has it behind the SYN+ACK */
	bool was_reset; /* the connection was ended by a reset that was not a refusal */
	/* for a simultaneous open: for each end, whether its SYN was acknowledged */
	bool acked[2];
	uint32_t iss;     /* sequence number of the SYN */
	uint32_t syn_len; /* number of bytes of data in the SYN */
	uint32_t synack;  /* sequence number of the SYN+ACK */
	uint32_t syn2;    /* sequence number of the SYN of the other end */

	uint32_t prev, next; /* numbers of the neighbours in the TIME_WAIT list, or 0 */
	uint64_t since;      /* time in ns when the connection entered TIME_WAIT */
	struct tcp_end end[2];
};

struct tcp_tombstone {
	struct tcp_key key;
	uint64_t since;
	uint32_t iss, syn2;
	bool used, has_syn2;
	bool done; /* the handshake was complete, so a SYN with number iss or syn2 is an old one */
	uint8_t opener;
};

struct tcp_table {
	struct tcp_shared *shared;
	struct tcp_conn *conn; /* array of @max connections; follows *shared in @region */
	/* ring buffer of @max tombstones; follows the connections in @region */
	struct tcp_tombstone *tombstone;
	/* slots of the hash table, owned; each is hash << 32 | number, or 0 if empty */
	uint64_t *slot;
	uint32_t nslot, inuse; /* nslot is a power of 2 */
	uint32_t max;
	uint32_t first_unused; /* lowest index that was never used */
	uint32_t clock_hand, next_tombstone;
	uint32_t *free_numbers; /* numbers of removed connections, owned */
	uint32_t nfree, free_max;
	uint32_t time_wait_first, time_wait_last, ntime_wait;
	uint64_t evicted;
	/*
	 * programs read the sockets that send, or receive, segments, so these sockets are
	 * prefetched
	 */
	bool shows_sender, shows_receiver;
	void *region;
	size_t region_len;
};

#define TCP_TOMBSTONE (1u << 31) /* flag in a slot's number */

#define TCP_CONNS_MIN 16
#define TCP_CONNS_MAX (1u << 30)
#define TCP_CONNS_DEFAULT (1u << 20)

/*
 * Makes an empty table for @max connections (clamped to the limits above). @blank has the initial
 * contents of every socket. Returns 0, or -1 with the error in @d.
 */
int tcp_table_init(struct tcp_table *t, uint32_t max, const struct sock *blank, struct diag *d);
void tcp_table_release(struct tcp_table *t);

/*
 * Returns the hash of a key, which is the same in this process and in the processes that it forks.
 */
static inline uint32_t tcp_key_hash(const struct tcp_key *k)
{
	unsigned __int128 sum;

	if (tcp_key_version(k) == 4)
		return (uint32_t)hash_end(&hash_key,
					  hash_pair(&hash_key, 0, k->addr[0][0], k->addr[0][1]), 4);
	sum = hash_pair(&hash_key, 0, k->addr[0][0], k->addr[0][1]);
	sum += hash_pair(&hash_key, 1, k->addr[1][0], k->addr[1][1]);
	sum += hash_pair(&hash_key, 2, k->ends, 0);
	return (uint32_t)hash_end(&hash_key, sum, 6);
}

/*
 * Prefetches the slot of a key with hash @h. Some packets later, tcp_table_prefetch_conn()
 * completes the prefetch of a lookup.
 */
static inline void tcp_table_prefetch_slot(const struct tcp_table *t, uint32_t h)
{
	__builtin_prefetch(&t->slot[h & (t->nslot - 1)]);
}

/*
 * Prefetches the members of @c that every segment uses. If programs read the sender's or the
 * receiver's socket, also prefetches what they read first. End @from sends the segment.
 */
static inline void tcp_conn_prefetch(const struct tcp_table *t, const struct tcp_conn *c,
				     unsigned from)
{
	__builtin_prefetch(c, 1);
	for (unsigned i = 0; i < 2; i++) {
		__builtin_prefetch(&c->end[i].tp.bytes_acked, 1);
		__builtin_prefetch(&c->end[i].sent_at, 1);
	}
	if (t->shows_sender)
		__builtin_prefetch(&c->end[from].tp.inet_conn.icsk_inet.sk.__sk_common.skc_state);
	if (t->shows_receiver)
		__builtin_prefetch(&c->end[!from].tp.inet_conn.icsk_inet.sk.__sk_common.skc_state);
}

/*
 * Prefetches the connection in the slot with hash @h, for a segment that end @from sends. Returns
 * the number of the connection, or 0 if there is no such slot.
 */
static inline uint32_t tcp_table_prefetch_conn(const struct tcp_table *t, uint32_t h, unsigned from)
{
	uint64_t s;

	for (uint32_t i = h; (s = t->slot[i & (t->nslot - 1)]); i++)
		if (s >> 32 == h && !(s & TCP_TOMBSTONE)) {
			tcp_conn_prefetch(t, &t->conn[(uint32_t)s - 1], from);
			return (uint32_t)s;
		}
	return 0;
}

/* Result of a lookup. At most one member is set. */
struct tcp_found {
	struct tcp_conn *conn;
	struct tcp_tombstone *tombstone;
};

/* Returns connection @number if its key is @k, else NULL. */
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

/* Finds @k, whose hash is @h. */
struct tcp_found tcp_table_find(struct tcp_table *t, const struct tcp_key *k, uint32_t h);

/*
 * Returns how many slots would be visited if each connection and tombstone were looked up once.
 * Tests use this to check that lookups stay fast.
 */
uint64_t tcp_table_probes(const struct tcp_table *t);

/*
 * Adds a connection. All its members but key, number, used and recent are 0. The key must not exist
 * yet. Does not evict @keep, which may be NULL, to make room.
 */
struct tcp_conn *tcp_table_add(struct tcp_table *t, const struct tcp_key *k,
			       const struct tcp_conn *keep);
void tcp_table_remove(struct tcp_table *t, struct tcp_conn *c);

/* Removes @c, which has ended, and leaves a tombstone. */
void tcp_table_retire(struct tcp_table *t, struct tcp_conn *c, uint64_t now);
void tcp_table_forget(struct tcp_table *t, struct tcp_tombstone *g);

/* Add @c to the end of the TIME_WAIT list, or remove it from the list. @now is the time in ns. */
void tcp_table_time_wait_add(struct tcp_table *t, struct tcp_conn *c, uint64_t now);
void tcp_table_time_wait_remove(struct tcp_table *t, struct tcp_conn *c);

/* Returns the maximum number of connections in TIME_WAIT. Older ones become tombstones. */
static inline uint32_t tcp_table_time_wait_max(const struct tcp_table *t)
{
	return t->max / 16;
}

/* Returns the connection that has been in TIME_WAIT longest, or NULL. */
static inline struct tcp_conn *tcp_table_time_wait_oldest(struct tcp_table *t)
{
	return t->time_wait_first ? &t->conn[t->time_wait_first - 1] : NULL;
}

#endif
