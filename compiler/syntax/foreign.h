/*
 * foreign.h - names of the kernel's types on other systems and in other tracers.
 */
#ifndef COMPILER_SYNTAX_FOREIGN_H
#define COMPILER_SYNTAX_FOREIGN_H

/*
 * Returns the type of Linux or D that is nearest to a type of another system: "struct inode" for
 * "vnode_t" and for "vnode". @name is a typedef's name or a struct's tag. The result is a static
 * string, or NULL if @name is unknown.
 */
const char *foreign_type(const char *name);

#endif
