/*
 * list.h - dtrace -l.
 */
#ifndef CMD_LIST_H
#define CMD_LIST_H

#include <stdbool.h>
#include <stdio.h>

struct probe_listing;

void list_header(FILE *out);
void list_row(FILE *out, const struct probe_listing *l, bool verbose);

#endif
