/*
 * duration.c - the table of the suffixes of durations.
 */
#include "base/duration.h"

#include <stddef.h>
#include <strings.h>

uint64_t duration_unit(const char *suffix)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{"ns", 1},
		{"nsec", 1},
		{"us", 1000},
		{"usec", 1000},
		{"ms", 1000000},
		{"msec", 1000000},
		{"s", 1000000000},
		{"sec", 1000000000},
		{"m", 60000000000},
		{"min", 60000000000},
		{"h", 3600000000000},
		{"hour", 3600000000000},
		{"d", 86400000000000},
		{"day", 86400000000000},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcasecmp(suffix, units[i].name))
			return units[i].ns;
	return 0;
}
