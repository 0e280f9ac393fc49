/*
 * fuzz_reassemble.c - reassembles datagrams from any fragments in any order.
 *
 * The input is a list of fragments, 8 bytes each: u8 identification and IP version, u8 length of
 * the header, u16 offset and more-fragments bit, u16 length, u8 seconds since the previous
 * fragment, u8 number of bytes not captured. An array marks the bytes of each datagram that have
 * arrived. When a datagram is reported as complete, all of its bytes must have arrived and must be
 * right.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "engine/replay/dissect.h"
#include "engine/replay/reassemble.h"

#define IDS 4
#define MAX 66000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* For each datagram, the bytes that have arrived. */
static bool seen[2][IDS][MAX];

static unsigned char byte_at(unsigned i)
{
	return (unsigned char)(i * 31 + (i >> 8));
}

static void put_be16(unsigned char *p, unsigned v)
{
	p[0] = (unsigned char)(v >> 8);
	p[1] = (unsigned char)v;
}

/* Writes the headers of a fragment and returns their length. */
static unsigned make_headers(unsigned char *p, const uint8_t *in, bool v6, unsigned id,
			     unsigned len)
{
	unsigned field = (unsigned)in[2] << 8 | in[3], n;

	memset(p, 0, 256);
	if (v6) {
		n = 40 + (in[1] & 15) * 8u;
		p[0] = 0x60;
		put_be16(p + 4, n + 8 - 40 + len);
		p[n > 40 ? 40 : 6] = 44;
		if (n > 40)
			p[41] = (unsigned char)(n / 8 - 6); /* length of the hop-by-hop options */
		p[n] = 17;
		put_be16(p + n + 2, field & 0xfff9);
		p[n + 7] = (unsigned char)id;
		return n + 8;
	}
	n = (5 + in[1] % 11u) * 4;
	p[0] = (unsigned char)(0x40 | n / 4);
	put_be16(p + 2, n + len);
	put_be16(p + 4, id);
	put_be16(p + 6, (field & 1) << 13 | field >> 3);
	p[9] = 17;
	return n;
}

static void check(const struct datagram *d, bool v6, bool have[MAX])
{
	const unsigned char *p = d->data;
	unsigned total = v6 ? 40u + (p[4] << 8 | p[5]) : (unsigned)(p[2] << 8 | p[3]);
	unsigned head = !v6 ? (p[0] & 15) * 4u : p[6] == 17 ? 40 : 48u + p[41] * 8u;
	struct dissect dis = {.version = v6 ? 6 : 4};
	unsigned char *copy = xmalloc(d->captured);

	if (total != d->wirelen || d->captured > d->wirelen)
		abort();
	memcpy(copy, p, d->captured);
	dissect_transport(copy, d->captured, d->wirelen, &dis);
	xfree(copy);
	if (dis.proto != 17 || (dis.l4 && dis.l4 != head))
		abort();
	for (unsigned i = head; i < d->wirelen; i++)
		if (!have[i - head] || (i < d->captured && p[i] != byte_at(i - head)))
			abort();
}

static void one(struct reassembly *r, const uint8_t *in, uint64_t now)
{
	bool v6 = in[0] & 0x80;
	unsigned id = in[0] % IDS, off = (in[2] << 8 | in[3]) & 0xfff8,
		 len = (in[4] << 8 | in[5]) % 9000;
	unsigned char *p = xmalloc(256 + len);
	unsigned head = make_headers(p, in, v6, id, len), n, cut;
	struct fragment f = {.version = v6 ? 6 : 4, .wirelen = head + len};
	struct datagram out;

	for (unsigned i = 0; i < len; i++) {
		p[head + i] = byte_at(off + i);
		if (off + i < MAX)
			seen[v6][id][off + i] = true;
	}
	cut = in[7] & 0x80 ? in[7] & 0x7f : 0;
	n = head + (cut < len ? len - cut : 0);
	f.ip = p = xrealloc(p, n);
	f.captured = n;
	f.at = v6 ? (uint16_t)(head - 8) : 0;
	f.next = head > 48 ? 40 : 6;
	if (reassemble(r, &f, now, &out))
		check(&out, v6, seen[v6][id]);
	if (reassembly_memory(r, f.version) > REASSEMBLE_MEMORY)
		abort();
	xfree(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reassembly *r = reassembly_new();
	uint64_t now = 0;

	memset(seen, 0, sizeof(seen));
	for (; size >= 8; data += 8, size -= 8) {
		now += data[6] % 16 * 1000000000ull;
		one(r, data, now);
	}
	reassembly_end(r);
	if (reassembly_memory(r, 4) || reassembly_memory(r, 6))
		abort();
	reassembly_free(r);
	return 0;
}
