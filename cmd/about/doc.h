/*
 * doc.h - what the library's comments say of providers, probes, arguments and members.
 *
 * The D texts that are built in are their own documentation, by where a comment stands:
 *
 *	the first of a file                   its provider, behind "NAME.d - "
 *	before "typedef struct"               the type
 *	behind a member, on its line          the member
 *	before "probe"                        the probe; of several, a paragraph "NAME: " is for
 *	                                      that one, and the first is for those without
 *	behind an argument, on its line       the argument; else what is said of its type
 */
#ifndef CMD_ABOUT_DOC_H
#define CMD_ABOUT_DOC_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"

/* Texts are "" where there is none; lines are joined, paragraphs have a newline between them. */
struct doc_member {
	const char *type, *name, *text;
};

struct doc_type {
	const char *name; /* of the typedef: "ipinfo_t" */
	const char *text;
	VEC(struct doc_member) member;
};

struct doc_arg {
	const char *type; /* "ipinfo_t *" */
	const char *text;
};

struct doc_probe {
	const char *name; /* "connect-refused" */
	const char *text;
	VEC(struct doc_arg) arg;
};

struct doc_provider {
	const char *name, *text;
	VEC(struct doc_probe) probe;
};

/* An inline that is a number: "TH_SYN". */
struct doc_constant {
	const char *file; /* the text that it is in: "translators/tcp.d" */
	const char *name;
};

struct doc {
	struct arena arena; /* has all of it */
	VEC(struct doc_type) type;
	VEC(struct doc_provider) provider;
	VEC(struct doc_constant) constant;
};

/* Reads the texts that are built in.  @d is all zero; doc_release() when done. */
void doc_read(struct doc *d);
void doc_release(struct doc *d);

/* What @type, "ipinfo_t" or a pointer to one, is; NULL: no struct that is described. */
const struct doc_type *doc_type(const struct doc *d, const char *type);

/*
 * Whether the probes of @p are about packets and sockets: their second argument is a csinfo_t,
 * which has the owner of the socket.
 */
bool doc_has_owner(const struct doc_provider *p);

/* NULL: the library has no such provider. */
const struct doc_provider *doc_provider(const struct doc *d, const char *name);

/* NULL: nothing is said of it. */
const struct doc_probe *doc_probe(const struct doc *d, const char *provider, const char *name);

#endif
