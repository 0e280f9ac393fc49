/* diff.h - shows the differences between two snapshots of aggregations (--diff). */
#ifndef CONSUMER_OFORMAT_DIFF_H
#define CONSUMER_OFORMAT_DIFF_H

struct aggdiff_form;
struct aggfile;
struct percentiles;
struct strbuf;

/*
 * Returns the format of differences called @name: text, json or csv. Returns NULL if no format has
 * that name.
 */
const struct aggdiff_form *aggdiff_form(const char *name);

/*
 * Appends to @out the rows that differ between @before and @after, the largest change first.
 * aggfile_agree() must hold for the two files. For numbers, the change is their difference.
 * Histograms are shown side by side, with their percentiles @at below. The change of a histogram is
 * its distance: the share of counts that would have to move to other buckets to make both equal.
 * Appends nothing if nothing differs.
 */
void aggdiff_show(struct strbuf *out, const struct aggdiff_form *form, const struct aggfile *before,
		  const struct aggfile *after, const struct percentiles *at);

#endif
