/* when.c - parses times. */
#include "fleet/when.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool parse_ago(const char *text, uint64_t *ns)
{
	static const char units[] = "smhd";
	static const uint64_t seconds[] = {1, 60, 3600, 86400};
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;

	if (end == text || !unit || end[1] || n > 1000000)
		return false;
	*ns = n * seconds[unit - units] * 1000000000u;
	return true;
}

static bool parse_local(const char *text, uint64_t now, uint64_t *ns)
{
	static const char *const forms[] = {"%Y-%m-%d",          "%Y-%m-%d %H:%M",
					    "%Y-%m-%dT%H:%M",    "%Y-%m-%d %H:%M:%S",
					    "%Y-%m-%dT%H:%M:%S", "%H:%M"};
	time_t t = (time_t)(now / 1000000000u);

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct tm today, tm;
		const char *end;

		localtime_r(&t, &today);
		tm = (struct tm){.tm_year = today.tm_year,
				 .tm_mon = today.tm_mon,
				 .tm_mday = today.tm_mday};
		end = strptime(text, forms[i], &tm);
		if (!end || *end)
			continue;
		tm.tm_isdst = -1;
		t = mktime(&tm);
		*ns = (uint64_t)t * 1000000000u;
		return t > 0;
	}
	return false;
}

bool when_parse(const char *text, uint64_t now, uint64_t *ns)
{
	char *end;

	*ns = now;
	if (!strcmp(text, "now"))
		return true;
	if (*text == '-' && parse_ago(text + 1, ns)) {
		*ns = now > *ns ? now - *ns : 0;
		return true;
	}
	if (*text == '@') {
		*ns = strtoull(text + 1, &end, 10) * 1000000000u;
		return text[1] && !*end;
	}
	return parse_local(text, now, ns);
}

const char *when_text(char text[WHEN_SIZE], uint64_t ns)
{
	time_t t = (time_t)(ns / 1000000000u);
	struct tm tm;

	strftime(text, WHEN_SIZE, "%F %T %Z", localtime_r(&t, &tm));
	return text;
}
