/*
 * opener.h - opens the files of --merge -x follow for a run that has given up its rights.
 *
 * The opener is a process with all rights, forked before this process gives up its rights. The
 * opener knows the paths of the command line. It accepts one kind of request, which has no
 * arguments and asks for a descriptor of each file that exists now. The opener never reads a file.
 * So an attacker who controls the process that parses files gets only files that the user named.
 */
#ifndef CMD_MERGE_OPENER_H
#define CMD_MERGE_OPENER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct diag;
struct opener;

/*
 * Forks the opener for the @n files at @path. A path may be a folder, which stands for the files in
 * it. Returns NULL on failure, with the error in @d. The opener ends when opener_stop() is called,
 * or when this process ends.
 */
struct opener *opener_start(const char *const *path, size_t n, struct diag *d);

/*
 * Reads each file that exists now, and calls @fn with the path and bytes of the file. @fn releases
 * the bytes. @why is NULL, or the reason why the file could not be read. Files that are deleted in
 * the meantime are skipped. After @fn returns false, it is not called again. Returns false with the
 * error in @d if the opener died.
 */
typedef bool opened_fn(void *ctx, const char *path, struct strbuf *bytes, const char *why);
bool opener_read(struct opener *o, opened_fn *fn, void *ctx, struct diag *d);

/* Ends the opener, waits for it and frees @o, which may be NULL. */
void opener_stop(struct opener *o);

#endif
