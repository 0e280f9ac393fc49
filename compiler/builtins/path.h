/*
 * path.h - paths of files, as the kernel prints them.
 */
#ifndef COMPILER_BUILTINS_PATH_H
#define COMPILER_BUILTINS_PATH_H

struct compiler;
struct dest;
struct expr;
struct fire;

/* Writes d_path(struct path *), the path of a file from the current process's root directory. */
void chars_d_path(struct fire *g, const struct expr *call, struct dest d);
/*
 * Writes __path(dentry, mount, seen). If seen is 1, the path is that of d_path(). If seen is 0, the
 * path begins at the root of the mount namespace.
 */
void chars_path(struct fire *g, const struct expr *call, struct dest d);

/* Returns 0. In replay, where files do not exist, returns -1 with the error recorded. */
int check_path(struct compiler *c, const struct expr *call);

#endif
