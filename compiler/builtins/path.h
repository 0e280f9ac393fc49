/*
 * path.h - paths of files, as the kernel prints them.
 */
#ifndef COMPILER_BUILTINS_PATH_H
#define COMPILER_BUILTINS_PATH_H

struct compiler;
struct dest;
struct expr;
struct fire;

/* d_path(struct path *): the path from the current process's root directory. */
void chars_d_path(struct fire *g, const struct expr *call, struct dest d);
/*
 * __path(dentry, mount, seen): if seen is 1, the same path as d_path(); if it is 0, the path from
 * the root of the mount namespace.
 */
void chars_path(struct fire *g, const struct expr *call, struct dest d);

/* In replay, records the error that captures have no files, and returns -1; else returns 0. */
int check_path(struct compiler *c, const struct expr *call);

#endif
