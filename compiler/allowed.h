/*
 * allowed.h - reads the file of -x probes, which lists the probes that programs may enable.
 *
 *     tcp:::* udp:::*            # provider:module:function:name, with patterns as in programs
 *     syscall::read:entry
 *
 * The probes of the dtrace provider and the profile:::tick- probes are always allowed, because they
 * show nothing about other processes.
 */
#ifndef COMPILER_ALLOWED_H
#define COMPILER_ALLOWED_H

#include <stdbool.h>

struct allowed;
struct diag;
struct probe;

/*
 * Reads the file @path. Returns NULL with the error in @d if that fails. The caller frees the
 * result. @path must live as long as the result.
 */
struct allowed *allowed_read(const char *path, struct diag *d);
void allowed_free(struct allowed *a);

/* Returns whether programs may enable @p: either the file lists @p, or @p is always allowed. */
bool allowed_probe(const struct allowed *a, const struct probe *p);

/* Returns the file's name. */
const char *allowed_path(const struct allowed *a);

#endif
