/*
 * diff.h - what changed between two snapshots of aggregations.
 */
#ifndef CONSUMER_OFORMAT_DIFF_H
#define CONSUMER_OFORMAT_DIFF_H

struct aggdiff_form;
struct aggfile;
struct strbuf;

/* A form that differences can have: text, json, csv.  NULL: there is none of that name. */
const struct aggdiff_form *aggdiff_form(const char *name);

/*
 * Appends the rows of @before and @after, which agree (aggfile_agree()), that are not the same in
 * both: those that changed most come first.  Numbers by their difference; histograms, side by side,
 * by the share of what they count that would have to be elsewhere for both to be alike.  Nothing
 * where nothing changed.
 */
void aggdiff_show(struct strbuf *out, const struct aggdiff_form *form, const struct aggfile *before,
		  const struct aggfile *after);

#endif
