/*
 * never.c - names of D that Linux cannot have, and the reason for each.
 *
 * The reason is shown in the error, so that the user does not look for a misspelling.
 */
#include <string.h>

#include "compiler/builtins/lang.h"

/* The names are in alphabetical order. */
static const struct {
	const char *name, *why;
} never[] = {
	{"ddi_pathname", "Linux has no /devices tree"},
	{"getf", "finding a file by its descriptor needs locks that an eBPF program may not take"},
	{"ipl", "Linux has no levels of interrupt priority"},
	{"jailname", "Linux has no jails"},
	{"jid", "Linux has no jails"},
	{"msgdsize", "Linux has no STREAMS messages"},
	{"msgsize", "Linux has no STREAMS messages"},
	{"zonename", "Linux has no zones"},
};

const char *why_never(const char *name)
{
	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		if (!strcmp(never[i].name, name))
			return never[i].why;
	return NULL;
}
