/*
 * glob.h - the patterns of probe descriptions: * ? [a-z] [!abc] and \x (the character x itself).
 */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether @pat matches all of @s. As in DTrace, an empty pattern matches everything. */
bool glob_match(const char *pat, const char *s);

/* Returns whether one of the @n patterns matches @s. */
bool glob_match_any(const char *const *pat, size_t n, const char *s);

/* Returns whether @pat has a character with a special meaning. */
bool glob_is_pattern(const char *pat);

#endif
