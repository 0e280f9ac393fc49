/*
 * opener.h - opens the files of --merge -x follow for a run that has given up its rights.
 *
 * The opener is a process that is forked before, with all rights.  It knows the paths of the command line and
 * takes one request: what is there now?  It passes descriptors and reads nothing itself, so
 * whoever takes over the process that parses gets no other file than the user named.
 */
#ifndef CMD_OPENER_H
#define CMD_OPENER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct diag;
struct opener;

/*
 * Forks the opener for the files at @path, @n of them, and those in the folders there.  NULL with the error
 * in @d.  It ends when opener_stop() is called, or this process ends, however that is.
 */
struct opener *opener_start(const char *const *path, size_t n, struct diag *d);

/*
 * Reads each file that is there now, and calls @fn with its path and bytes, which are @fn's own to release.  If it
 * cannot be read, @why says why; else that is NULL.  A file that is gone again is left out.
 * @fn returns false to hear no more.  False with the error in @d: the opener is gone.
 */
typedef bool opened_fn(void *ctx, const char *path, struct strbuf *bytes, const char *why);
bool opener_read(struct opener *o, opened_fn *fn, void *ctx, struct diag *d);

/* Ends the opener, waits for it and frees @o, which may be NULL. */
void opener_stop(struct opener *o);

#endif
