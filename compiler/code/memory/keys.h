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
 * Lays out a key of @n fields that begin after the first @start bytes. @key and @cls have the type
 * and string class of each field. If @out is not NULL, the fields are stored there. Returns the
 * size of the key in bytes.
 */
uint32_t key_layout(struct compiler *c, struct type **key, const struct strclass *cls, uint32_t n,
		    uint32_t start, struct field *out);

/*
 * Returns a field for a value of type @t. The field is at offset *@off or at the next aligned
 * offset. Sets *@off to the end of the field. @cls is the class of the value if it is a string.
 */
struct field field_of(struct compiler *c, struct type *t, struct strclass cls, uint32_t *off);

#endif
