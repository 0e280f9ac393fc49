/*
 * path.h - paths of files, as the kernel prints them.
 */
#ifndef COMPILER_BUILTINS_PATH_H
#define COMPILER_BUILTINS_PATH_H

struct compiler;
struct dest;
struct expr;
struct fire;

/* d_path(struct path *): from the current process's root directory. */
void chars_d_path(struct fire *g, const struct expr *call, struct dest d);
/* __path(dentry, mount, seen): seen 1: as d_path(); 0: from the root of its mount namespace. */
void chars_path(struct fire *g, const struct expr *call, struct dest d);

/* Records the error that a capture has no files. */
int check_path(struct compiler *c, const struct expr *call);

#endif
