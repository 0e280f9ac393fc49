/*
 * list.h - dtrace -l.
 */
#ifndef CMD_ABOUT_LIST_H
#define CMD_ABOUT_LIST_H

#include <stdbool.h>
#include <stdio.h>

#include "base/stability.h"

struct doc;
struct probe_listing;

/* The names of the columns; list_attributes(): a line of attributes, below @title. */
void list_header(FILE *out);
/* How stable a description and its arguments are, and their types: behind a row of -lv. */
void list_stability(FILE *out, const struct probe_listing *l);
void list_attributes(FILE *out, const char *title, struct stability s);

/*
 * A probe: a line; with @doc also its attributes, the types of its arguments, the hooks it is
 * made of, and what @doc says of it; with @all also of what its arguments point to.
 */
void list_row(FILE *out, const struct probe_listing *l, const struct doc *doc, bool all);

#endif
