/*
 * stability.c - the names of stability attributes.
 */
#include "base/stability.h"

#include <stdio.h>
#include <string.h>

static const char *const levels[] = {"Internal", "Private",  "Obsolete", "External",
				     "Unstable", "Evolving", "Stable",   "Standard"};
static const char *const classes[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};
static const char *const parts[] = {"provider", "module", "function", "name", "args"};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static uint8_t lesser(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

struct stability stability_min(struct stability a, struct stability b)
{
	return (struct stability){lesser(a.name, b.name), lesser(a.data, b.data),
				  lesser(a.class, b.class)};
}

bool stability_reaches(struct stability a, struct stability least)
{
	return a.name >= least.name && a.data >= least.data && a.class >= least.class;
}

const char *stability_level_name(unsigned level)
{
	return levels[level];
}

const char *stability_class_name(unsigned class)
{
	return classes[class];
}

static int find(const char *const *words, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(words[i], word))
			return (int)i;
	return -1;
}

bool stability_parse(const char *text, struct stability *out)
{
	char part[3][16], rest;
	int name, data, class;

	if (!text ||
	    sscanf(text, "%15[^/]/%15[^/]/%15[^/]%c", part[0], part[1], part[2], &rest) != 3)
		return false;
	name = find(levels, COUNT(levels), part[0]);
	data = find(levels, COUNT(levels), part[1]);
	class = find(classes, COUNT(classes), part[2]);
	if (name < 0 || data < 0 || class < 0)
		return false;
	*out = (struct stability){(uint8_t)name, (uint8_t)data, (uint8_t)class};
	return true;
}

int stability_part(const char *name)
{
	return find(parts, COUNT(parts), name);
}
