/*
 * later.c - what D has and this compiler not yet, or never.
 *
 * A name in here is refused as that, so that nobody looks for a misspelling.  One that
 * is made leaves this table.
 */
#include <stdlib.h>
#include <string.h>

#include "builtins/lang.h"

/* What Linux has nothing for: it will never be here. */
static const struct {
	const char *name, *why;
} never[] = {
	{"cwd", "no program may ask the kernel for the path of a directory"},
	{"ddi_pathname", "Linux has no tree of devices with such names"},
	{"getf", "a file is not found by its number without the locks of its table"},
	{"ipl", "Linux has no levels of interrupt priority"},
	{"jailname", "Linux has no jails"},
	{"jid", "Linux has no jails"},
	{"msgdsize", "Linux has no STREAMS messages"},
	{"msgsize", "Linux has no STREAMS messages"},
	{"root", "no program may ask the kernel for the path of a directory"},
	{"zonename", "Linux has no zones"},
};

const char *why_never(const char *name)
{
	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		if (!strcmp(never[i].name, name))
			return never[i].why;
	return NULL;
}

/* Both in alphabetical order. */
static const char *const functions[] = {
	"d_path",
};

static int name_cmp(const void *key, const void *elem)
{
	return strcmp(key, *(const char *const *)elem);
}

bool function_is_later(const char *name)
{
	return bsearch(name, functions, sizeof(functions) / sizeof(*functions), sizeof(*functions),
		       name_cmp);
}
