/*
 * attrs.h - computes the stability of a program, for -v and -x amin.
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
 * Records the attributes pragmas of a text, and checks the form of the versions in its binding
 * pragmas. Returns 0, or -1 with the error recorded.
 */
int attrs_add(struct compiler *c, const struct ast *t);

/*
 * Checks that each stability pragma of a program is about a name that the program declares. Does
 * not check pragmas of library texts and pragmas about providers. Called when all names of the text
 * are known. Returns 0, or -1 with the error recorded.
 */
int attrs_check(struct compiler *c, const struct ast *t);

/*
 * attrs_of_probe() returns the stability of probe @p and of its fields that description @desc names
 * exactly. attrs_of_args() returns the stability of the arguments of @p.
 */
struct stability attrs_of_probe(struct compiler *c, const struct probe *p,
				const struct probe_desc *desc);
struct stability attrs_of_args(struct compiler *c, const struct probe *p);

/*
 * attrs_of_desc() returns the stability of the description of @en, at all probes of @en.
 * attrs_of_body() returns the stability of the predicate and the statements.
 */
struct stability attrs_of_desc(struct compiler *c, const struct enabling *en);
struct stability attrs_of_body(struct compiler *c, const struct enabling *en);

/*
 * Checks that everything in @en has at least the stability of -x amin. Returns 0, or -1 with the
 * error recorded.
 */
int attrs_check_least(struct compiler *c, const struct enabling *en);

#endif
