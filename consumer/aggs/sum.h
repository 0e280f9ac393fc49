/*
 * sum.h - adds and subtracts aggregation files. The result has the form of a file, too.
 *
 * A snapshot minus an earlier snapshot of the same run has what the run counted in between. The sum
 * of the files of many hosts looks like the file of one host.
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
 * Adds the aggregation file of @size bytes at @data, which may be hostile. @name is its name in
 * messages. If the bytes are not an aggregation file, or do not agree with the files that were
 * added before (aggfile_agree()), changes nothing and returns false with the error in @d.
 */
bool aggsum_add(struct aggsum *s, const char *name, const void *data, size_t size, struct diag *d);

/*
 * Subtracts a file that is an earlier snapshot of a run. A later snapshot of this run must have
 * been added before. Returns false for the reasons of aggsum_add(), or if the values of an
 * aggregation cannot be subtracted, such as those of min() and max().
 */
bool aggsum_subtract(struct aggsum *s, const char *name, const void *data, size_t size,
		     struct diag *d);

/* Returns whether values of @a can be subtracted. The values of min() and max() cannot. */
bool aggsum_can_subtract(const struct aggfile_agg *a);

/*
 * Returns the ID of the file that was added last, or NULL if no file was added. The result is valid
 * until the next call of aggsum_add() or aggsum_free().
 */
const struct aggfile_id *aggsum_id(const struct aggsum *s);

/*
 * Returns whether a file that was added reports losses: the last file if @last is set, else any of
 * them. If @last is not set, a key whose values could not be subtracted, because the program had
 * cleared or removed it in between, counts as a loss, too.
 */
bool aggsum_has_losses(const struct aggsum *s, bool last);

/*
 * Appends the sum to @out as a file with ID @id. Leaves out rows whose value is all zeros. At least
 * one file must have been added.
 */
void aggsum_write(const struct aggsum *s, const struct aggfile_id *id, struct strbuf *out);

#endif
