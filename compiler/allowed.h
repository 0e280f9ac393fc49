/*
 * allowed.h - the probes that programs may enable (-x probes): a file of descriptions.
 *
 *	tcp:::* udp:::*            # provider:module:function:name, patterns as in programs; several
 *on a line syscall::read:entry
 *
 * The dtrace provider and ticks are always allowed: they show nothing about others.
 */
#ifndef COMPILER_ALLOWED_H
#define COMPILER_ALLOWED_H

#include <stdbool.h>

struct allowed;
struct diag;
struct probe;

/* Reads @path, which must live as long; NULL with the error in @d.  To be released. */
struct allowed *allowed_read(const char *path, struct diag *d);
void allowed_free(struct allowed *a);

/* Does the file list it, by all four fields? */
bool allowed_probe(const struct allowed *a, const struct probe *p);

/* The file's name. */
const char *allowed_path(const struct allowed *a);

#endif
