/*
 * fold.h - converts rows of aggregations to folded stacks, the input of flame graphs. A folded
 * stack is the sequence of a stack's frames and one weight.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_FOLD_H
#define CONSUMER_OFORMAT_PICTURES_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agg/table.h"

struct program;
struct table;

/*
 * Kinds of frames. fold.c uses the values as separators, because visible_add() keeps these bytes
 * out of names.
 */
enum frame_kind { FRAME_KEY = 1, FRAME_USER = 2, FRAME_KERNEL = 3 };

/* A frame. @name borrows from the row and is not NUL-terminated. */
struct frame {
	enum frame_kind kind;
	const char *name;
	size_t len;
};

/*
 * Stacks of one or more aggregations. The outermost frame comes first: keys that are not stacks,
 * then frames of the process, then frames of the kernel. fold_frame() reads the frames from a row's
 * key. The row's value is one int64_t, the weight. Stacks with equal names share a row.
 */
struct fold {
	struct aggtab tab;
};

/*
 * Returns whether aggregation @agg is folded. If any aggregation of the program has a stack in its
 * key, only aggregations with a stack are folded. Otherwise all aggregations with keys are folded.
 * Keys that are not stacks become frames, too.
 */
bool fold_wants(const struct program *p, uint32_t agg);

/*
 * Adds the rows of the @i-th aggregation of @t if fold_wants() selects it. If fold_wants() selects
 * several aggregations of the program, the outermost frame is @NAME, the name of the aggregation.
 */
void fold_add(struct fold *f, const struct program *p, const struct table *t, uint32_t i);

/* Adds all rows of @from. */
void fold_join(struct fold *f, const struct fold *from);

/* Sorts the rows, so that stacks with common outer frames are neighbours. */
void fold_sort(struct fold *f);

/*
 * Reads the next frame of @row into @out and moves *@at behind that frame. *@at must be 0 at first.
 * Returns false if there are no more frames.
 */
bool fold_frame(const struct agg_row *row, size_t *at, struct frame *out);

/* Frees all rows and leaves @f empty. */
void fold_release(struct fold *f);

#endif
