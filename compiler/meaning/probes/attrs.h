/*
 * attrs.h - how stable what a program uses is: -v and -x amin.
 */
#ifndef COMPILER_ATTRS_H
#define COMPILER_ATTRS_H

#include "base/stability.h"

struct ast;
struct compiler;
struct enabling;
struct probe;
struct probe_desc;

/*
 * Takes the attributes and bindings that pragmas of a text give.  0, or -1 with the error recorded.
 */
int attrs_add(struct compiler *c, const struct ast *t);

/* When all of a text's names are known: do its pragmas mean any of them? */
int attrs_check(struct compiler *c, const struct ast *t);

/* Attributes of the description, by the fields that it names, and of the probe's arguments. */
struct stability attrs_of_probe(struct compiler *c, const struct probe *p,
				const struct probe_desc *desc);
struct stability attrs_of_args(struct compiler *c, const struct probe *p);

/*
 * Attributes of an enabling's description at all its probes, and of its predicate and statements.
 */
struct stability attrs_of_desc(struct compiler *c, const struct enabling *en);
struct stability attrs_of_body(struct compiler *c, const struct enabling *en);

/* Is all of @en as stable as -x amin wants?  0, or -1 with the error recorded. */
int attrs_check_least(struct compiler *c, const struct enabling *en);

#endif
