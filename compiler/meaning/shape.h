/*
 * shape.h - types as plain data, for print().
 */
#ifndef COMPILER_MEANING_SHAPE_H
#define COMPILER_MEANING_SHAPE_H

struct compiler;
struct shape;
struct type;

/* Returns what the consumer needs of a type to print a value, in the arena. */
const struct shape *shape_of(struct compiler *c, struct type *named);

#endif
