/*
 * later.c - what D has and this compiler not yet.
 *
 * A name in here is refused as that, so that nobody looks for a misspelling.  One that
 * is made leaves this table, and the row of docs/compat.md that says the same.
 */
#include <stdlib.h>
#include <string.h>

#include "builtins/lang.h"

/* Both in alphabetical order. */
static const char *const functions[] = {
	"alloca",
	"bcopy",
	"chill",
	"copyin",
	"copyinstr",
	"copyinto",
	"copyout",
	"copyoutstr",
	"d_path",
	"ddi_pathname",
	"getf",
	"getmajor",
	"getminor",
	"json",
	"link_ntop",
	"msgdsize",
	"msgsize",
	"mutex_owned",
	"mutex_owner",
	"mutex_type_adaptive",
	"mutex_type_spin",
	"pcap",
	"print",
	"progenyof",
	"rand",
	"rw_iswriter",
	"rw_read_held",
	"rw_write_held",
};

static const char *const variables[] = {
	"curcpu",
	"curlwpsinfo",
	"curpsinfo",
	"cwd",
	"execargs",
	"fds",
	"ipl",
	"jailname",
	"jid",
	"root",
	"uregs",
	"vtimestamp",
	"zonename",
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

bool variable_is_later(const char *name)
{
	return bsearch(name, variables, sizeof(variables) / sizeof(*variables), sizeof(*variables),
		       name_cmp);
}
