/*
 * libdir.c - reads library files, and sorts them by their dependencies.
 */
#include "compiler/libdir.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"

enum { NEW, OPEN, DONE };

/* ----------------------------------------------------------------- reading */

static int read_file(struct libdir *l, struct arena *a, const char *path, const char *name,
		     struct diag *d)
{
	struct strbuf b = {0};
	const char *why;
	int fd = file_open_listed(path, FILE_TEXT_MAX, &why);
	bool whole = fd >= 0 && file_read_fd(fd, FILE_TEXT_MAX, &b, &why);
	struct src *src;

	if (fd >= 0)
		close(fd);
	if (!whole) {
		strbuf_release(&b);
		return diag_error(d, D_SYS, NOLOC, "failed to read %s: %s", path, why);
	}
	src = arena_new(a, struct src);
	*src = (struct src){SRC_LIB, path, b.s, b.len, false};
	vec_push(&l->file, ((struct lib_file){.src = src, .name = name}));
	return 0;
}

static int is_d_file(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 2 && !strcmp(e->d_name + n - 2, ".d");
}

int libdir_read(struct libdir *l, struct arena *a, const char *dir, struct diag *d)
{
	struct dirent **e;
	int n = scandir(dir, &e, is_d_file, alphasort), err = 0;

	if (n < 0)
		return diag_error(d, D_SYS, NOLOC, "failed to open library directory %s: %s", dir,
				  strerror(errno));
	for (int i = 0; i < n; i++) {
		if (!err)
			err = read_file(l, a, arena_printf(a, "%s/%s", dir, e[i]->d_name),
					arena_strdup(a, e[i]->d_name), d);
		free(e[i]);
	}
	free(e);
	return err;
}

void libdir_release(struct libdir *l)
{
	for (size_t i = 0; i < l->file.n; i++)
		free((char *)(uintptr_t)l->file.v[i].src->text);
	vec_free(&l->file);
	vec_free(&l->order);
}

/* ------------------------------------------------------------------- order */

/*
 * Searches the plain text, because the files are parsed only after they were sorted: a file may
 * name the types of files that it depends on.
 */
bool libdir_depends(const struct src *src, const char *kind, uint32_t *off, char thing[128])
{
	const char *p = src->text + *off;
	char is[16];

	for (; p && *p; p = strchr(p, '\n')) {
		p += strspn(p, "\n");
		*off = (uint32_t)(p - src->text);
		if (*p == '#' && sscanf(p, "# pragma D depends_on %15s %127s", is, thing) == 2 &&
		    !strcmp(is, kind))
			return true;
	}
	return false;
}

static struct lib_file *file_of(struct libdir *l, const char *name)
{
	for (size_t i = 0; i < l->file.n; i++)
		if (!strcmp(l->file.v[i].name, name))
			return &l->file.v[i];
	return NULL;
}

static int visit(struct libdir *l, struct lib_file *f, bool (*is_ours)(const char *name),
		 struct diag *d)
{
	char name[128];

	if (f->state == DONE)
		return 0;
	f->state = OPEN;
	for (uint32_t off = 0; libdir_depends(f->src, "library", &off, name); off++) {
		struct lib_file *other = file_of(l, name);
		struct loc loc = {f->src, off};

		if (!other && is_ours(name))
			continue;
		if (!other)
			return diag_error(d, D_PRAGMA_DEPEND, loc,
					  "library %s depends on %s, which does not exist", f->name,
					  name);
		if (other->state == OPEN)
			return diag_error(d, D_PRAGMA_DEPEND, loc,
					  "libraries depend on each other: %s, %s", f->name, name);
		if (visit(l, other, is_ours, d))
			return -1;
	}
	f->state = DONE;
	vec_push(&l->order, f);
	return 0;
}

int libdir_sort(struct libdir *l, bool (*is_ours)(const char *name), struct diag *d)
{
	for (size_t i = 0; i < l->file.n; i++)
		if (visit(l, &l->file.v[i], is_ours, d))
			return -1;
	return 0;
}
