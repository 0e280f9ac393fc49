/*
 * shape.h - values as print() shows them: by their type, members and all.
 */
#ifndef CONSUMER_VALUES_SHAPE_H
#define CONSUMER_VALUES_SHAPE_H

#include "base/strbuf.h"
#include "ir/program.h"

/*
 * Appends "type value" and a newline; a struct or union takes a line for each member, indented by
 * four.  @bytes: the value, s->size of them.  Not of a string, whose bytes are a slot.
 * @names: pointers to functions, and those to where a variable begins, by the kernel's names.
 */
void shape_show(struct strbuf *out, const struct shape *s, const char *bytes, bool names);

/* The value alone. */
void shape_value(struct strbuf *out, const struct shape *s, const char *at, bool names);

/*
 * For other forms of it: an integer's or enum's value, the name of that (NULL: it has none), a
 * pointer as text.
 */
int64_t shape_number(const struct shape *s, const char *at);
const char *shape_enum_name(const struct shape *s, const char *at);
void shape_pointer(struct strbuf *out, const struct shape *s, const char *at, bool names);

/* A bit-field of what is at @base. */
uint64_t shape_bits(const struct shape_member *m, const char *base);

/* Is an array one of characters, and text up to its NUL? */
bool shape_is_text(const struct shape *array, const char *at);

#endif
