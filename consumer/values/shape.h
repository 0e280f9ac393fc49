/*
 * shape.h - formats values as print() does: by their C type, with all members.
 */
#ifndef CONSUMER_VALUES_SHAPE_H
#define CONSUMER_VALUES_SHAPE_H

#include "base/strbuf.h"
#include "ir/program.h"

/*
 * Appends "type value" and a newline.  A struct or union takes a line for each member, indented by
 * four blanks.  @bytes holds s->size bytes of the value.  For print() of a string, call
 * oformat_ops.string instead.
 *
 * @names: print pointers to kernel functions, and to the start of kernel variables, by name.
 */
void shape_show(struct strbuf *out, const struct shape *s, const char *bytes, bool names);

/* Appends the value alone. */
void shape_value(struct strbuf *out, const struct shape *s, const char *at, bool names);

/* Parts of a value, for output formats other than text. */
int64_t shape_number(const struct shape *s, const char *at); /* the value of an integer or enum */
const char *shape_enum_name(const struct shape *s, const char *at); /* NULL: no name */
void shape_pointer(struct strbuf *out, const struct shape *s, const char *at, bool names);

/* Returns the value of a bit-field in the struct at @base. */
uint64_t shape_bits(const struct shape_member *m, const char *base);

/* Returns whether an array of characters is printable text up to its NUL, or to its end. */
bool shape_is_text(const struct shape *array, const char *at);

#endif
