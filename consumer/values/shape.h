/* shape.h - formats values for print(): by their C type, with all members. */
#ifndef CONSUMER_VALUES_SHAPE_H
#define CONSUMER_VALUES_SHAPE_H

#include "base/strbuf.h"
#include "ir/program.h"

/*
 * Appends "type value" and a newline. A struct or union has a line for each member, indented by
 * four blanks. @bytes has the s->size bytes of the value. For print() of a string, call
 * oformat_ops.string instead of this function.
 *
 * If @names is set, pointers to kernel functions, and pointers to the start of kernel variables,
 * are printed by name.
 */
void shape_show(struct strbuf *out, const struct shape *s, const char *bytes, bool names);

/* Appends the value without its type and without a newline. */
void shape_value(struct strbuf *out, const struct shape *s, const char *at, bool names);

/* Functions for output formats other than text. */
/* returns the value of an integer or enum */
int64_t shape_number(const struct shape *s, const char *at);
/* returns the name of an enum's value, or NULL */
const char *shape_enum_name(const struct shape *s, const char *at);
void shape_pointer(struct strbuf *out, const struct shape *s, const char *at, bool names);

/* Returns the value of a bit-field in the struct at @base. */
uint64_t shape_bits(const struct shape_member *m, const char *base);

/*
 * Returns whether an array of characters contains only printable text, up to its first NUL or its
 * end.
 */
bool shape_is_text(const struct shape *array, const char *at);

#endif
