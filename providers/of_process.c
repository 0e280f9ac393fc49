/*
 * of_process.c - which probes tell of what the process that runs does.
 *
 * At the others of their providers whoever runs does so by chance: a request to a disk is done
 * in the time of any process.
 */
#include <string.h>

#include "base/glob.h"
#include "providers/provider.h"

bool names_of_process(const char *prov, const char *name)
{
	static const struct {
		const char *prov, *name;
	} rows[] = {
		{"syscall", "*"},     {"proc", "*"},           {"sysinfo", "*"},
		{"vminfo", "*"},      {"lockstat", "*"},       {"profile", "profile-*"},
		{"io", "start"},      {"io", "wait-*"},        {"sched", "on-cpu"},
		{"sched", "off-cpu"}, {"sched", "remain-cpu"}, {"sched", "sleep"},
		{"sched", "preempt"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(prov, rows[i].prov) && glob_match(rows[i].name, name))
			return true;
	return false;
}
