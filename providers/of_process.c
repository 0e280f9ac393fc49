/*
 * of_process.c - lists the probes that are about the current process.
 *
 * At all other probes, the current process may have nothing to do with the event. For example, a
 * disk request completes while an arbitrary process runs.
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
