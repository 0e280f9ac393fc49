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
 * Prints the row of one probe. If @doc is not NULL, also prints below the row: the attributes of
 * the probe, the types of its arguments, the hooks that fire the probe (only for a probe of a
 * stable provider), and its description. If @all is set, the description includes the members of
 * the structs that the arguments point to.
 */
void list_row(FILE *out, const struct probe_listing *l, const struct doc *doc, bool all);

/*
 * Prints how stable the description and the arguments of a probe are, and the types of its
 * arguments.
 */
void list_stability(FILE *out, const struct probe_listing *l);

/* Prints @title and below it the three attributes of @s. */
void list_attributes(FILE *out, const char *title, struct stability s);

#endif
