/*
 * allowed.h - the probes that programs may enable (-x probes): a file of descriptions.
 *
 *     tcp:::* udp:::*            # provider:module:function:name, with patterns as in programs
 *     syscall::read:entry
 *
 * The dtrace provider and ticks are always allowed: they show nothing about others.
 */
#ifndef COMPILER_ALLOWED_H
#define COMPILER_ALLOWED_H

#include <stdbool.h>

struct allowed;
struct diag;
struct probe;

/*
 * Reads @path. Returns NULL with the error in @d. The caller frees the result. @path must live as
 * long as the result.
 */
struct allowed *allowed_read(const char *path, struct diag *d);
void allowed_free(struct allowed *a);

/* Returns whether programs may enable @p: the file lists it, or it is always allowed. */
bool allowed_probe(const struct allowed *a, const struct probe *p);

/* Returns the file's name. */
const char *allowed_path(const struct allowed *a);

#endif
