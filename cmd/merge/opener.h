/*
 * opener.h - opens the files of --merge -x follow for a run that has given up its rights.
 *
 * The opener is a process with all rights, forked before this process gives its rights up.  It
 * has the paths of the command line.  It takes one request, which has no arguments: pass a
 * descriptor of each file that exists now.  It reads no file.  So an attacker in the parsing
 * process gets only files that the user named.
 */
#ifndef CMD_MERGE_OPENER_H
#define CMD_MERGE_OPENER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct diag;
struct opener;

/*
 * Forks the opener for the @n files at @path.  A folder stands for the files in it.  Returns NULL
 * on failure, with the error in @d.  The opener ends at opener_stop(), or when this process ends.
 */
struct opener *opener_start(const char *const *path, size_t n, struct diag *d);

/*
 * Reads each file that exists now, and calls @fn with its path and bytes, which @fn releases.  @why
 * is NULL, or says why the file could not be read.  Files that vanish meanwhile are left out. After
 * @fn returns false it is not called again.  Returns false with the error in @d if the opener died.
 */
typedef bool opened_fn(void *ctx, const char *path, struct strbuf *bytes, const char *why);
bool opener_read(struct opener *o, opened_fn *fn, void *ctx, struct diag *d);

/* Ends the opener, waits for it and frees @o, which may be NULL. */
void opener_stop(struct opener *o);

#endif
