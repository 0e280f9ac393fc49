/*
 * memory_limit.c - reads the memory limits of control groups, versions 1 and 2.
 */
#include "base/memory_limit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"

/*
 * Reads a limit in bytes from the file @name in @folder. Returns UINT64_MAX (no limit) if the file
 * is missing or contains "max".
 */
static uint64_t limit_in(const char *folder, const char *name)
{
	struct strbuf path = {0};
	char text[32];
	ssize_t n = -1;
	int fd;

	strbuf_addf(&path, "%s/%s", folder, name);
	fd = open(path.s, O_RDONLY | O_CLOEXEC);
	strbuf_release(&path);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (n <= 0 || text[0] < '0' || text[0] > '9')
		return UINT64_MAX;
	text[n] = '\0';
	return strtoull(text, NULL, 10);
}

/*
 * Returns the lowest limit from the group at @path, which begins with '/', up to the root of the
 * tree. Modifies @path.
 */
static uint64_t least_above(const char *tree, char *path, const char *name)
{
	uint64_t least = UINT64_MAX;

	for (char *slash = path;; *slash = '\0') {
		struct strbuf folder = {0};
		uint64_t n;

		strbuf_addf(&folder, "%s%s", tree, path);
		n = limit_in(folder.s, name);
		strbuf_release(&folder);
		least = n < least ? n : least;
		slash = strrchr(path, '/');
		if (!slash)
			return least;
	}
}

uint64_t memory_limit(const char *groups, const char *tree)
{
	struct strbuf old_tree = {0};
	uint64_t least = UINT64_MAX;
	char line[4200], *path;
	FILE *f = fopen(groups, "re");

	strbuf_addf(&old_tree, "%s/memory", tree);
	while (f && fgets(line, sizeof(line), f)) {
		uint64_t n = UINT64_MAX;

		line[strcspn(line, "\n")] = '\0';
		path = strchr(line, '/');
		if (path && !strncmp(line, "0::", 3))
			n = least_above(tree, path, "memory.max");
		else if (path && strstr(line, ":memory:"))
			n = least_above(old_tree.s, path, "memory.limit_in_bytes");
		least = n < least ? n : least;
	}
	if (f)
		fclose(f);
	strbuf_release(&old_tree);
	return least;
}
