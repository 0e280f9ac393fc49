/*
 * options.h - what changes how the consumer prints; most of it at run time too.
 */
#ifndef CONSUMER_OPTIONS_H
#define CONSUMER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* All zero but @out and @err: the defaults. */
struct consumer_opts {
	FILE *out;           /* data */
	FILE *err;           /* everything that begins with "dtrace: " */
	const char *outname; /* for messages about @out; NULL: "<stdout>" */
	bool (*is_static)(const char *name); /* may be NULL: a name that exists, but not while tracing? */
	bool names;          /* resolve: %I and %P may use the name services, but not in replay */

	/* Options by name; see consumer_setopt(). */
	bool quiet, flowindent, rawbytes, footer, droptags;
	bool aggsortkey, aggsortrev;
	int64_t aggsortpos, aggsortkeypos;
	int64_t stackindent; /* 1 more than was asked for; 0: the usual */
};

/*
 * Sets the dynamic option @name (-x, #pragma D option, setopt()).  @value NULL
 * or "": on.  0; -1: no such option; -2: bad value.
 */
int consumer_setopt(struct consumer_opts *o, const char *name, const char *value);

/* Blanks before each line of a stack. */
int consumer_stackindent(const struct consumer_opts *o);

#endif
