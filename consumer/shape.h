/*
 * shape.h - values as print() shows them: by their type, members and all.
 */
#ifndef CONSUMER_SHAPE_H
#define CONSUMER_SHAPE_H

#include "base/strbuf.h"
#include "ir/program.h"

/*
 * Appends "type value" and a newline; a struct or union takes a line for each member, indented by
 * four.  @bytes: the value, s->size of them.  Not of a string, whose bytes are a slot.
 * @names: pointers to functions, and those to where a variable begins, by the kernel's names.
 */
void shape_show(struct strbuf *out, const struct shape *s, const char *bytes, bool names);

#endif
