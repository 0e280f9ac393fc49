/*
 * keys.h - layout of keys and records.
 */
#ifndef COMPILER_CODE_MEMORY_KEYS_H
#define COMPILER_CODE_MEMORY_KEYS_H

#include <stdint.h>

#include "compiler/meaning/strclass.h"
#include "ir/program.h"

struct compiler;
struct dest;
struct expr;
struct fire;
struct type;

/* Stores key expression @e in slot @d, as a field of type @t. */
void gen_key_field(struct fire *g, const struct expr *e, struct type *t, struct dest d);

/*
 * Lays out a key of @n fields, after @start bytes. @key and @cls have the type and string class of
 * each field; @out, if not NULL, gets the fields. Returns the size of the key in bytes.
 */
uint32_t key_layout(struct compiler *c, struct type **key, const struct strclass *cls, uint32_t n,
		    uint32_t start, struct field *out);

/*
 * Returns a field for a value of type @t at the next aligned offset from *@off on; moves *@off
 * behind the field. @cls: the class of a string.
 */
struct field field_of(struct compiler *c, struct type *t, struct strclass cls, uint32_t *off);

#endif
