/*
 * shape.h - types as plain data, for print().
 */
#ifndef COMPILER_MEANING_SHAPE_H
#define COMPILER_MEANING_SHAPE_H

struct compiler;
struct shape;
struct type;

/* The type as the consumer needs it to show a value of it.  In the arena. */
const struct shape *shape_of(struct compiler *c, struct type *named);

#endif
