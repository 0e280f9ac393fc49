/*
 * dstr.h - the text of a string slot, and of the addresses kept binary in them.
 */
#ifndef CONSUMER_VALUES_DSTR_H
#define CONSUMER_VALUES_DSTR_H

#include <stdint.h>

struct program;
struct strbuf;

/* Appends the text of the @size byte slot @slot (enum dstr_tag: ir/program.h). */
void dstr_text(const struct program *p, const void *slot, uint32_t size, struct strbuf *out);

/* Appends an address, in network order, as inet_ntoa() and inet_ntoa6() write it. */
void dstr_ip4(const uint8_t addr[4], struct strbuf *out);
void dstr_ip6(const uint8_t addr[16], struct strbuf *out);

#endif
