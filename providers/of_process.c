/*
 * of_process.c - tells which probes are about the current process.
 *
 * At other probes, the current process may be arbitrary: a disk request completes while any process
 * runs.
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
