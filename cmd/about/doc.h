/*
 * doc.h - descriptions of providers, probes, arguments and members, from the library's comments.
 *
 * The D texts that are built in (the library) are their own documentation. The place of a comment
 * decides what the comment describes:
 *
 *	first in a file, behind "NAME.d - "    the provider
 *	before "typedef struct"                the type
 *	after a member, on its line            the member
 *	before "probe"                         the probe; if several probes are declared at once,
 *	                                       the paragraph "NAME: " describes probe NAME, and
 *	                                       the first other paragraph describes the rest
 *	after an argument, on its line         the argument; without it, the type's text is used
 */
#ifndef CMD_ABOUT_DOC_H
#define CMD_ABOUT_DOC_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"

/*
 * The description of a member. In all structs of this file, a text that does not exist is "", and
 * each paragraph of a text is one line.
 */
struct doc_member {
	const char *type, *name, *text;
};

struct doc_type {
	const char *name; /* the name that the typedef declares: "ipinfo_t" */
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

/* A constant: an inline without parameters, such as TH_SYN. */
struct doc_constant {
	/* name of the library text that declares the constant: "translators/tcp.d" */
	const char *file;
	const char *name;
};

struct doc {
	struct arena arena; /* owns all strings and lists */
	VEC(struct doc_type) type;
	VEC(struct doc_provider) provider;
	VEC(struct doc_constant) constant;
};

/* Reads the library's texts into @d, which must be all zero. Call doc_release() in the end. */
void doc_read(struct doc *d);
void doc_release(struct doc *d);

/*
 * Finds the struct that @type names: "ipinfo_t" or "ipinfo_t *". Returns NULL if the library
 * describes no such struct.
 */
const struct doc_type *doc_type(const struct doc *d, const char *type);

/*
 * Returns whether a probe of @p is about packets or sockets. The second argument of such a probe is
 * a csinfo_t, which has the owner of the socket.
 */
bool doc_has_owner(const struct doc_provider *p);

/* Finds the stable provider @name. Returns NULL if the library declares no such provider. */
const struct doc_provider *doc_provider(const struct doc *d, const char *name);

/*
 * Finds probe @name of @provider. @name is in the form that users write: connect-refused. Returns
 * NULL if the library declares no such probe.
 */
const struct doc_probe *doc_probe(const struct doc *d, const char *provider, const char *name);

#endif
