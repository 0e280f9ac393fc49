/* mountinfo.c - parses the lines of /proc/PID/mountinfo. */
#include "procinfo/mountinfo.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Replaces the octal escapes, such as \040, in place. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++, to++) {
		*to = *s;
		if (s[0] == '\\' && s[1] && s[2] && s[3]) {
			*to = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 3;
		}
	}
	*to = '\0';
}

bool mountinfo_parse(struct mountinfo *m, char *line)
{
	/* blanks in names are escaped, so only the separator looks like this */
	char *dash = strstr(line, " - "), *rest = NULL, *word[5];
	unsigned long id;

	if (!dash || sscanf(line, "%lu %*u %u:%u", &id, &m->major, &m->minor) != 3)
		return false;
	*dash = '\0';
	for (int i = 0; i < 5; i++)
		word[i] = strtok_r(i ? NULL : line, " ", &rest);
	m->id = id;
	m->root = word[3];
	m->at = word[4];
	m->type = strtok_r(dash + 3, " \n", &rest);
	strtok_r(NULL, " \n", &rest); /* the source of the mount, which nobody needs */
	m->options = strtok_r(NULL, " \n", &rest);
	if (!m->at || !m->type)
		return false;
	unescape(m->root);
	unescape(m->at);
	return true;
}
