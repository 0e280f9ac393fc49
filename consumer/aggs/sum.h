/*
 * sum.h - adds aggregation files up, and subtracts them, to a file.
 *
 * Two snapshots of one run differ by what happened between them. Files of many hosts add up to one
 * file, which is like that of one host.
 */
#ifndef CONSUMER_AGGS_SUM_H
#define CONSUMER_AGGS_SUM_H

#include <stdbool.h>
#include <stddef.h>

struct aggfile_agg;
struct aggfile_id;
struct aggsum;
struct diag;
struct strbuf;

struct aggsum *aggsum_new(void);
void aggsum_free(struct aggsum *s);

/*
 * Adds the file of @size bytes at @data, which may be hostile; @name names it in messages. Returns
 * false with the error in @d, and changes nothing, if it is no such file or does not agree with the
 * first file (aggfile_agree()).
 */
bool aggsum_add(struct aggsum *s, const char *name, const void *data, size_t size, struct diag *d);

/*
 * Subtracts a file: an earlier snapshot of the run whose snapshot was added. Returns false as
 * aggsum_add() does, or if an aggregation cannot be subtracted, such as min() or max().
 */
bool aggsum_subtract(struct aggsum *s, const char *name, const void *data, size_t size,
		     struct diag *d);

/* Returns whether values of @a can be subtracted. The values of min() and max() cannot. */
bool aggsum_divides(const struct aggfile_agg *a);

/* Returns the ID of the file that was added last; NULL if there is none. Valid as long as @s. */
const struct aggfile_id *aggsum_id(const struct aggsum *s);

/* Returns whether the file that was added last (@last), or any file, reports losses. */
bool aggsum_has_losses(const struct aggsum *s, bool last);

/*
 * Appends the sum as a file with ID @id. Rows that are all zero are left out. At least one file was
 * added.
 */
void aggsum_write(const struct aggsum *s, const struct aggfile_id *id, struct strbuf *out);

#endif
