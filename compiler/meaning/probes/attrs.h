/*
 * attrs.h - computes the stability of what a program uses, for -v and -x amin.
 */
#ifndef COMPILER_MEANING_PROBES_ATTRS_H
#define COMPILER_MEANING_PROBES_ATTRS_H

#include "base/stability.h"

struct ast;
struct compiler;
struct enabling;
struct probe;
struct probe_desc;

/*
 * Records the attributes in the pragmas of a text, and checks the form of the versions in its
 * bindings. Returns 0, or -1 with the error recorded.
 */
int attrs_add(struct compiler *c, const struct ast *t);

/*
 * Checks that each stability pragma of a program is about a name that the program declares. Does
 * not check pragmas of library texts and pragmas about providers. Called when all names of the text
 * are known. Returns 0, or -1 with the error recorded.
 */
int attrs_check(struct compiler *c, const struct ast *t);

/*
 * attrs_of_probe() returns the attributes of description @desc of probe @p. They depend on the
 * fields that @desc names. attrs_of_args() returns the attributes of the arguments of @p.
 */
struct stability attrs_of_probe(struct compiler *c, const struct probe *p,
				const struct probe_desc *desc);
struct stability attrs_of_args(struct compiler *c, const struct probe *p);

/*
 * attrs_of_desc() returns the attributes of the description of enabling @en at all its probes.
 * attrs_of_body() returns the attributes of the predicate and statements of @en.
 */
struct stability attrs_of_desc(struct compiler *c, const struct enabling *en);
struct stability attrs_of_body(struct compiler *c, const struct enabling *en);

/*
 * Checks that all of @en is as stable as -x amin requires. Returns 0, or -1 with the error
 * recorded.
 */
int attrs_check_least(struct compiler *c, const struct enabling *en);

#endif
