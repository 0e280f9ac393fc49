/*
 * family.c - lists the stable providers whose probes are families: one declared probe stands for
 * many similar probes, such as one for each system call.
 */
#include "providers/provider.h"

#include <stddef.h>
#include <string.h>

static const struct family_names *const all[] = {&family_syscall};

const struct family_names *family_names(const char *prov)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i]->prov, prov))
			return all[i];
	return NULL;
}
