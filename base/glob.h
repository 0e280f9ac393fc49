/*
 * glob.h - the patterns of probe descriptions: * ? [a-z] [!abc] and \x.
 */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Does @s match @pat as a whole?  An empty pattern matches everything (DTrace's rule). */
bool glob_match(const char *pat, const char *s);

/* Does it match one of @n patterns? */
bool glob_match_any(const char *const *pat, size_t n, const char *s);

/* Has @pat any character with a special meaning? */
bool glob_is_pattern(const char *pat);

#endif
