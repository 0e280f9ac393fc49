/*
 * foreign.h - what other systems and tracers call types of the kernel.
 */
#ifndef COMPILER_FOREIGN_H
#define COMPILER_FOREIGN_H

/*
 * The type of Linux or of D that is nearest to @name, which is a typedef's name or a struct's tag:
 * "struct inode" for "vnode_t" and "vnode". NULL: no such name is known. A static string.
 */
const char *foreign_type(const char *name);

#endif
