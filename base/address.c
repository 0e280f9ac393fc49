/*
 * address.c - formats IP addresses.
 */
#include "base/address.h"

#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"

void address_ip4(const uint8_t addr[4], struct strbuf *out)
{
	char text[16], *p = text;

	for (int i = 0; i < 4; i++) {
		unsigned v = addr[i];

		if (i)
			*p++ = '.';
		if (v >= 100)
			*p++ = (char)('0' + v / 100);
		if (v >= 10)
			*p++ = (char)('0' + v / 10 % 10);
		*p++ = (char)('0' + v % 10);
	}
	strbuf_add(out, text, (size_t)(p - text));
}

static unsigned group(const uint8_t *addr, int i)
{
	return (unsigned)addr[2 * i] << 8 | addr[2 * i + 1];
}

/* Writes @v in hexadecimal, without zeros at its start. Returns the end of the text. */
static char *put_group(char *p, unsigned v)
{
	for (int shift = v > 0xfff ? 12 : v > 0xff ? 8 : v > 0xf ? 4 : 0; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[v >> shift & 15];
	return p;
}

/*
 * Returns whether an IPv6 address contains an IPv4 address: ::ffff:a.b.c.d (mapped) or ::a.b.c.d
 * (compatible). Sockets that accept both IPv4 and IPv6 show their IPv4 peers in the mapped form.
 * The addresses :: and ::1 do not count.
 */
static bool holds_ip4(const uint8_t *addr)
{
	static const uint8_t zero[12];

	if (!memcmp(addr, zero, 10) && group(addr, 5) == 0xffff)
		return true;
	return !memcmp(addr, zero, 12) && (group(addr, 6) || group(addr, 7) > 1);
}

/*
 * Finds the longest run of 16-bit groups that are zero; of equally long runs, the first. Sets
 * @start to the first group of the run. Returns the number of groups in the run, or 0 if no group
 * is zero.
 */
static int zero_run(const uint8_t *addr, int *start)
{
	int best = 0;

	for (int i = 0; i < 8; i++) {
		int n = 0;

		while (i + n < 8 && !group(addr, i + n))
			n++;
		if (n > best) {
			best = n;
			*start = i;
		}
		i += n;
	}
	return best;
}

void address_ip6(const uint8_t addr[16], struct strbuf *out)
{
	char text[48], *p = text;
	int start = 8, n;

	if (holds_ip4(addr)) {
		address_ip4(addr + 12, out);
		return;
	}
	n = zero_run(addr, &start);
	for (int i = 0; i < 8; i++) {
		if (i == start) {
			*p++ = ':';
			*p++ = ':';
			i += n - 1;
		} else {
			if (i && i != start + n)
				*p++ = ':';
			p = put_group(p, group(addr, i));
		}
	}
	strbuf_add(out, text, (size_t)(p - text));
}

void address_ntop6(const uint8_t addr[16], struct strbuf *out)
{
	if (holds_ip4(addr))
		strbuf_adds(out, group(addr, 5) ? "::ffff:" : "::");
	address_ip6(addr, out);
}
