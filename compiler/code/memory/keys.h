/*
 * keys.h - layout of keys and records.
 */
#ifndef COMPILER_CODE_MEMORY_KEYS_H
#define COMPILER_CODE_MEMORY_KEYS_H

#include <stdint.h>

#include "compiler/meaning/strclass.h"
#include "ir/program.h"

struct dest;
struct expr;
struct fire;
struct type;

/* Stores key expression @e in slot @d (memory of the key), as a field of type @t. */
void gen_key_field(struct fire *g, const struct expr *e, struct type *t, struct dest d);

/*
 * Lays out a key of @n fields that begin after the first @start bytes. @key has the types of the
 * fields, and @cls the string classes: the forms that strings may have (meaning/strclass.h). If
 * @out is not NULL, stores the fields there. Returns the size of the key in bytes.
 */
uint32_t key_layout(struct type **key, const struct strclass *cls, uint32_t n, uint32_t start,
		    struct field *out);

/*
 * Returns a field for a value of type @t, at offset *@off or at the next aligned offset. Sets *@off
 * to the end of the field. If the value is a string, @cls is its string class.
 */
struct field field_of(struct type *t, struct strclass cls, uint32_t *off);

#endif
