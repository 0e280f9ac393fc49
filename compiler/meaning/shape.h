/*
 * shape.h - describes types as plain data (struct shape), for print().
 */
#ifndef COMPILER_MEANING_SHAPE_H
#define COMPILER_MEANING_SHAPE_H

struct compiler;
struct shape;
struct type;

/*
 * Returns the description of type @named that the consumer (the part of dtrace that prints) needs
 * to print a value of this type. The result is in the arena.
 */
const struct shape *shape_of(struct compiler *c, struct type *named);

#endif
