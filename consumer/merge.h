/*
 * merge.h - files of aggregations as a source: each is to the consumer what a CPU is.
 */
#ifndef CONSUMER_MERGE_H
#define CONSUMER_MERGE_H

#include <stdint.h>

#include "ir/program.h"

struct aggfile;
struct arena;
struct source;

/*
 * A program that has the aggregations of @file, @n of them (at least one, which agree), and nothing that runs.
 * It lives in @mem, and refers to the files.
 */
const struct program *merge_program(struct arena *mem, struct aggfile *const *file, uint32_t n);

/* What it finds: all the files' rows.  To be freed through its ops. */
struct source *merge_source_new(struct aggfile *const *file, uint32_t n);

#endif
