/*
 * glob.c - pattern matching for probe descriptions.
 */
#include "base/glob.h"

#include <string.h>

/*
 * Matches @c against a character class such as [a-z]. *@pp points behind the '[', and is moved
 * behind the ']'.
 */
static bool match_class(const char **pp, char c)
{
	const char *p = *pp;
	bool neg = *p == '!', hit = false, first = true;

	if (neg)
		p++;
	for (; *p && (first || *p != ']'); p++, first = false) {
		if (p[1] == '-' && p[2] && p[2] != ']') {
			hit |= c >= p[0] && c <= p[2];
			p += 2;
		} else {
			hit |= c == *p;
		}
	}
	*pp = *p ? p + 1 : p;
	return hit != neg;
}

static bool match(const char *p, const char *s)
{
	const char *star = NULL, *back = NULL, *q;

	for (;;) {
		if (*p == '*') {
			star = ++p;
			back = s;
			continue;
		}
		if (!*s && !*p)
			return true;
		q = p;
		if (*s && *q) {
			bool ok;

			if (*q == '?') {
				ok = true;
				q++;
			} else if (*q == '[' && strchr(q + 1, ']')) {
				q++;
				ok = match_class(&q, *s);
			} else {
				if (*q == '\\' && q[1])
					q++;
				ok = *q++ == *s;
			}
			if (ok) {
				p = q;
				s++;
				continue;
			}
		}
		if (!star || !*back)
			return false;
		p = star;
		s = ++back;
	}
}

bool glob_match(const char *pat, const char *s)
{
	return !*pat || match(pat, s);
}

bool glob_match_any(const char *const *pat, size_t n, const char *s)
{
	for (size_t i = 0; i < n; i++)
		if (glob_match(pat[i], s))
			return true;
	return false;
}

bool glob_is_pattern(const char *pat)
{
	return pat[strcspn(pat, "*?[\\")] != '\0';
}
