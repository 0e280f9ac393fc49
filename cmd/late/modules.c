/*
 * modules.c - enables probes of kernel modules that are loaded later.
 *
 * The kernel does not report loaded modules to a process without the right to load them. So a timer
 * polls /sys/module. If a module was removed and loaded again, its folder there has another inode.
 */
#include "cmd/late/modules.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "engine/kernel/kernel.h"
#include "providers/fbt/functions.h"
#include "providers/provider.h"

#define LOOK_NS 100000000 /* interval between looks at /sys/module */

/* An awaited probe: one whose module is not loaded yet. */
struct item {
	const struct awaited *a;
	uint64_t inode; /* inode of the module at the last look; 0 if the module was not loaded */
};

struct late_modules {
	VEC(struct item) item;
	int fd; /* descriptor of a timer */
	void (*report)(const char *line);
};

static void report_no_timer(void (*report)(const char *line), int error)
{
	struct strbuf b = {0};

	strbuf_addf(&b,
		    "cannot find probes of modules that are loaded later: failed to create a "
		    "timer: %s",
		    strerror(error));
	report(b.s);
	strbuf_release(&b);
}

struct late_modules *late_modules_new(const struct awaited *a, unsigned n,
				      void (*report)(const char *line))
{
	const struct itimerspec every = {{0, LOOK_NS}, {0, LOOK_NS}};
	struct late_modules *l = NULL;

	for (unsigned i = 0; i < n; i++) {
		if (!a[i].module)
			continue;
		l = l ? l : xcalloc(1, sizeof(*l));
		vec_push(&l->item, ((struct item){&a[i], 0}));
	}
	if (!l)
		return NULL;
	l->report = report;
	l->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (l->fd < 0 || timerfd_settime(l->fd, 0, &every, NULL))
		report_no_timer(report, errno);
	return l;
}

int late_modules_fd(const struct late_modules *l)
{
	return l ? l->fd : -1;
}

void late_modules_free(struct late_modules *l)
{
	if (!l)
		return;
	if (l->fd >= 0)
		close(l->fd);
	vec_free(&l->item);
	xfree(l);
}

/*
 * Returns the inode of a module in /sys/module. Returns 0 if the module is not loaded, or is still
 * being loaded.
 */
static uint64_t inode_of(const char *module)
{
	struct strbuf path = {0};
	struct stat st;
	char state[8] = "";
	FILE *f;

	strbuf_addf(&path, "/sys/module/%s/initstate", module);
	f = fopen(path.s, "re");
	strbuf_release(&path);
	if (!f)
		return 0;
	if (fstat(fileno(f), &st) || !fgets(state, sizeof(state), f) || strcmp(state, "live\n"))
		st.st_ino = 0;
	fclose(f);
	return st.st_ino;
}

static void report(const struct late_modules *l, const struct awaited *a, const char *what)
{
	const struct probe_want *w = &a->want;
	struct strbuf b = {0};

	strbuf_addf(&b, "%s:%s:%s:%s: its module was loaded, but %s", w->prov, w->mod, w->func,
		    w->name, what);
	l->report(b.s);
	strbuf_release(&b);
}

/* A search for the functions of one module that have a given name. */
struct search {
	const char *module;
	uint64_t addr[AWAITED_NAMESAKES];
	unsigned n; /* number of functions found, which may exceed the size of @addr */
};

static void found(void *ctx, const struct function *f)
{
	struct search *s = ctx;

	if (strcmp(f->mod, s->module) || !f->addr)
		return;
	if (s->n < AWAITED_NAMESAKES)
		s->addr[s->n] = f->addr;
	s->n++;
}

static int search(struct search *s, const char *func)
{
	struct arena mem;
	struct intern names;
	struct host_env env = {.arena = &mem, .names = &names};
	int err;

	arena_init(&mem);
	intern_init(&names, &mem);
	err = functions_each(&env, func, found, s);
	host_env_release(&env);
	intern_release(&names);
	arena_release(&mem);
	return err;
}

static void enable(const struct late_modules *l, const struct awaited *a, struct source *source)
{
	struct search s = {.module = a->module};
	struct diag d = {0};
	int err = search(&s, a->want.func);

	if (err || !s.n) {
		report(l, a,
		       err == ENODATA ? "the kernel hides the addresses of functions (sysctl "
					"kernel.kptr_restrict=1 shows them to root)"
		       : err          ? strerror(err)
				      : "the module has no traceable function of that name");
		return;
	}
	if (s.n > AWAITED_NAMESAKES)
		report(l, a, "only the first 4 functions of that name are traced");
	if (kernel_enable_functions(source, a->probe->hook.point.awaited, s.addr, &d))
		report(l, a, d.msg);
	diag_release(&d);
}

void late_modules_look(struct late_modules *l, struct source *s)
{
	uint64_t times;

	if (!l || l->fd < 0 || read(l->fd, &times, sizeof(times)) < 0)
		return;
	for (size_t i = 0; i < l->item.n; i++) {
		struct item *t = &l->item.v[i];
		uint64_t inode = inode_of(t->a->module);

		if (inode == t->inode)
			continue;
		if (t->inode)
			kernel_disable_functions(s, t->a->probe->hook.point.awaited);
		t->inode = inode;
		if (inode)
			enable(l, t->a, s);
	}
}
