/*
 * path.h - paths of files, as the kernel prints them.
 */
#ifndef BUILTINS_PATH_H
#define BUILTINS_PATH_H

struct compiler;
struct dest;
struct expr;
struct fire;

/* d_path(struct path *): as the current process sees it, from its root directory. */
void chars_d_path(struct fire *g, const struct expr *call, struct dest d);
/* __path(dentry, mount, seen): 1: as above; 0: from the root of all mounts there. */
void chars_path(struct fire *g, const struct expr *call, struct dest d);

/* A capture has no files. */
int check_path(struct compiler *c, const struct expr *call);

#endif
