/* cost.c - measures the CPU time of BPF programs. */
#include "fleet/host/cost.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "fleet/files.h"

#define SECOND 1000000000ull

enum {
	INFO_MAX = 4096,
	/*
	 * The next measurement starts max(1 s, SLOWER * duration) after this one, so measuring
	 * takes at most 1/200 of a CPU.
	 */
	SLOWER = 200,
};

/* --------------------------------------------------------------------- the window */

/*
 * Forgets samples that are older than the window, except the newest of these, at which the window
 * begins.
 */
static void forget_old(struct cost_window *w, uint64_t now)
{
	size_t old = 0;

	while (old + 1 < w->v.n && w->v.v[old + 1].at + COST_WINDOW_S * SECOND <= now)
		old++;
	memmove(w->v.v, w->v.v + old, (w->v.n - old) * sizeof(*w->v.v));
	w->v.n -= old;
}

bool cost_add(struct cost_window *w, struct cost_sample s, uint64_t percent, char *why, size_t size)
{
	uint64_t time, whole, used;

	vec_push(&w->v, s);
	forget_old(w, s.at);
	time = s.at - w->v.v[0].at;
	used = s.used - w->v.v[0].used;
	whole = time > COST_WINDOW_S * SECOND ? time : COST_WINDOW_S * SECOND;
	if (used <= whole / 100 * percent)
		return false;
	time = time ? time : 1;
	snprintf(why, size,
		 "its probes used %.0f %% of a CPU for %.0f s; the policy allows %" PRIu64
		 " %% over %d s",
		 100.0 * (double)used / (double)time, (double)time / SECOND, percent,
		 COST_WINDOW_S);
	return true;
}

void cost_window_release(struct cost_window *w)
{
	vec_free(&w->v);
}

/* --------------------------------------------------------------------- measuring */

/* Reads the number of a line "NAME:\tNUMBER". Returns false if @text has no such line. */
static bool line_of(const char *text, const char *name, uint64_t *v)
{
	size_t n = strlen(name);

	for (const char *l = text; l; l = strchr(l, '\n'), l += l != NULL)
		if (!strncmp(l, name, n) && l[n] == ':') {
			*v = strtoull(l + n + 1, NULL, 10);
			return true;
		}
	return false;
}

bool cost_read(const char *text, uint64_t *id, uint64_t *ns)
{
	return line_of(text, "prog_id", id) && line_of(text, "run_time_ns", ns);
}

/* A BPF program of the process, at the last measurement: its number and its run time. */
struct seen {
	uint64_t id, ns;
};

struct cost {
	char dir[64]; /* /proc/PID/fdinfo */
	int stats;    /* the kernel measures programs while this descriptor is open */
	uint64_t percent, used, next;
	VEC(struct seen) fd; /* indexed by file descriptor */
	struct cost_window window;
};

struct cost *cost_new(pid_t pid, uint64_t percent)
{
	int stats = kbpf_enable_stats();
	struct cost *c;
	char why[1];

	if (stats < 0) {
		errno = -stats;
		return NULL;
	}
	c = xcalloc(1, sizeof(*c));
	c->stats = stats;
	c->percent = percent;
	snprintf(c->dir, sizeof(c->dir), "/proc/%d/fdinfo", (int)pid);
	cost_add(&c->window, (struct cost_sample){now_boot(), 0}, percent, why, sizeof(why));
	c->next = now_boot() + SECOND;
	return c;
}

void cost_free(struct cost *c)
{
	if (!c)
		return;
	close(c->stats);
	vec_free(&c->fd);
	cost_window_release(&c->window);
	xfree(c);
}

/* Adds the time that the program of descriptor @fd has run since the last measurement. */
static void note(struct cost *c, size_t fd, uint64_t id, uint64_t ns)
{
	while (c->fd.n <= fd)
		vec_push(&c->fd, (struct seen){0});
	if (c->fd.v[fd].id != id)
		c->fd.v[fd] = (struct seen){id, 0};
	c->used += ns > c->fd.v[fd].ns ? ns - c->fd.v[fd].ns : 0;
	c->fd.v[fd].ns = ns;
}

static void measure(struct cost *c)
{
	DIR *d = opendir(c->dir);
	char path[PATH_MAX];
	struct strbuf b = {0};

	for (const struct dirent *e; d && (e = readdir(d));) {
		uint64_t id, ns;

		strbuf_reset(&b);
		if (*e->d_name != '.' &&
		    file_get(path_in(path, c->dir, e->d_name), 0, INFO_MAX, &b) &&
		    cost_read(strbuf_text(&b), &id, &ns))
			note(c, strtoul(e->d_name, NULL, 10), id, ns);
	}
	if (d)
		closedir(d);
	strbuf_release(&b);
}

bool cost_exceeds(struct cost *c, char *why, size_t size)
{
	uint64_t now = now_boot(), took;

	if (now < c->next)
		return false;
	measure(c);
	took = now_boot() - now;
	c->next = now + (took > SECOND / SLOWER ? took * SLOWER : SECOND);
	return cost_add(&c->window, (struct cost_sample){now, c->used}, c->percent, why, size);
}

uint64_t cost_used(const struct cost *c)
{
	return c->used;
}
