/*
 * foreign.h - names of the kernel's types on other systems and in other tracers.
 */
#ifndef COMPILER_SYNTAX_FOREIGN_H
#define COMPILER_SYNTAX_FOREIGN_H

/*
 * Returns the type of Linux or D that is nearest to @name, a typedef's name or a struct's tag:
 * "struct inode" for "vnode_t" and "vnode". The result is a static string; NULL: unknown.
 */
const char *foreign_type(const char *name);

#endif
