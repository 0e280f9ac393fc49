/*
 * fold.h - rows of aggregations as folded stacks, the input of flame graphs.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_FOLD_H
#define CONSUMER_OFORMAT_PICTURES_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agg/table.h"

struct program;
struct table;

/* Kinds of frames. The values are bytes that occur in no name: fold.c uses them as separators. */
enum frame_kind { FRAME_KEY = 1, FRAME_USER = 2, FRAME_KERNEL = 3 };

/* A frame. @name borrows from the row and is not NUL-terminated. */
struct frame {
	enum frame_kind kind;
	const char *name;
	size_t len;
};

/*
 * Stacks of one or more aggregations, outermost frame first: keys that are not stacks, then frames
 * of the process, then frames of the kernel. fold_frame() reads a row's key; its value is one
 * int64_t. Stacks with equal names share a row.
 */
struct fold {
	struct aggtab tab;
};

/*
 * Returns whether aggregation @agg is folded: it has a stack in its key, or no aggregation of the
 * program has one and this one has keys. Keys that are not stacks are frames, too.
 */
bool fold_wants(const struct program *p, uint32_t agg);

/*
 * Adds the rows of the @i-th aggregation of @t, if fold_wants() it. If the program has several such
 * aggregations, @NAME is the outermost frame.
 */
void fold_add(struct fold *f, const struct program *p, const struct table *t, uint32_t i);

/* Adds all rows of @from. */
void fold_join(struct fold *f, const struct fold *from);

/* Sorts the rows, so that stacks with common outer frames are neighbours. */
void fold_sort(struct fold *f);

/*
 * Reads the next frame of @row into @out and advances *@at, which is 0 at first. Returns false if
 * there are no more frames.
 */
bool fold_frame(const struct agg_row *row, size_t *at, struct frame *out);

/* Frees all rows; @f is empty then. */
void fold_release(struct fold *f);

#endif
