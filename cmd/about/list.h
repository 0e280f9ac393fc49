/*
 * list.h - the rows of dtrace -l.
 */
#ifndef CMD_ABOUT_LIST_H
#define CMD_ABOUT_LIST_H

#include <stdbool.h>
#include <stdio.h>

#include "base/stability.h"

struct doc;
struct probe_listing;

/* Prints the names of the columns. */
void list_header(FILE *out);

/*
 * Prints the row of one probe.  With @doc (not NULL), below the row: its attributes, the types of
 * its arguments, the hooks that fire it, and its description.  With @all also the members of the
 * structs that its arguments point to.
 */
void list_row(FILE *out, const struct probe_listing *l, const struct doc *doc, bool all);

/* Prints how stable a description and its arguments are, and the types of the arguments. */
void list_stability(FILE *out, const struct probe_listing *l);

/* Prints @title and below it the three attributes of @s. */
void list_attributes(FILE *out, const char *title, struct stability s);

#endif
