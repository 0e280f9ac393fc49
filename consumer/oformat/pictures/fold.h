/*
 * fold.h - rows of aggregations as stacks, each once: what flame graphs are made of.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_FOLD_H
#define CONSUMER_OFORMAT_PICTURES_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agg/table.h"

struct program;
struct table;

/* What a frame is; as bytes, none of which is in a name. */
enum frame_kind { FRAME_KEY = 1, FRAME_USER = 2, FRAME_KERNEL = 3 };

/* A frame of a row: its name is not terminated. */
struct frame {
	enum frame_kind kind;
	const char *name;
	size_t len;
};

/*
 * Stacks of one or more aggregations, the outermost frame first: keys that are no stacks,
 * then a process's frames, then the kernel's.  The rows' keys are for fold_frame(), their
 * value is one int64_t; those whose frames have the same names are one row.
 */
struct fold {
	struct aggtab tab;
};

/*
 * Does aggregation @agg of the program have what is to be folded?  Those do that have a stack in
 * their key; where none has, those that have keys: each is a frame then.
 */
bool fold_wants(const struct program *p, uint32_t agg);

/*
 * Adds the rows of the table's @i-th aggregation, if it is wanted.  Where several of the program
 * are,
 * @NAME is the outermost frame.
 */
void fold_add(struct fold *f, const struct program *p, const struct table *t, uint32_t i);

/* Adds all of @from. */
void fold_join(struct fold *f, const struct fold *from);

/* Puts the rows in order: those that begin alike stand side by side. */
void fold_sort(struct fold *f);

/* The next frame of @row; *at is 0 at first.  False: there are no more. */
bool fold_frame(const struct agg_row *row, size_t *at, struct frame *out);

void fold_release(struct fold *f);

#endif
