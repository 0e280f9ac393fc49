/*
 * dstr.h - the text of a string slot.
 */
#ifndef CONSUMER_VALUES_DSTR_H
#define CONSUMER_VALUES_DSTR_H

#include <stdint.h>

struct program;
struct strbuf;

/* Appends the text of the @size byte slot @slot (enum dstr_tag: ir/program.h). */
void dstr_text(const struct program *p, const void *slot, uint32_t size, struct strbuf *out);

#endif
