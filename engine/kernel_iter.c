/*
 * kernel_iter.c - run iterator units over what exists when tracing starts.
 *
 * Iterators over sockets show one network namespace, that of whoever opens them.
 * So a thread of ours visits them all: those that a process is in, and those that
 * have a name in /run/netns.  The main thread never leaves its own.
 */
#include "engine/kernel_impl.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/kernel_bpf.h"

enum {
	PATIENCE_NS = 200000000, /* start is not held up for longer */
	NAP_NS = 100000,
};

/* Walks on its own, so that its records can be read meanwhile. */
struct kiter {
	pthread_t thread;
	VEC(int) link;      /* of the iterators, one behind the other */
	VEC(bool) of_ns;    /* it shows one network namespace */
	VEC(uint64_t) seen; /* inode numbers of the namespaces visited on this tour */
	uint32_t *walking;  /* to be 0 when nothing is left to show; NULL: nothing is shown */
	bool enough;        /* stop at the next namespace */
	bool done;
	int err;            /* negative errno; final when done */
};

/* ------------------------------------------------------------------ one run */

/* The program writes nothing for us to read: what it has to say are records. */
static int read_all(int link)
{
	int fd = kbpf_iter_create(link), err = 0;
	char buf[256];
	ssize_t n;

	if (fd < 0)
		return fd;
	do {
		n = read(fd, buf, sizeof(buf));
	} while (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)));
	if (n < 0)
		err = -errno;
	close(fd);
	return err;
}

/* -------------------------------------------------------- all the namespaces */

static bool is_seen(const struct kiter *t, uint64_t inode)
{
	for (size_t i = 0; i < t->seen.n; i++)
		if (t->seen.v[i] == inode)
			return true;
	return false;
}

/* A namespace that is gone meanwhile has nothing to show. */
static void visit(struct kiter *t, int link, const char *path)
{
	struct stat st;
	int fd;

	if (t->err || __atomic_load_n(&t->enough, __ATOMIC_RELAXED) || stat(path, &st) ||
	    is_seen(t, st.st_ino))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!setns(fd, CLONE_NEWNET)) {
		vec_push(&t->seen, (uint64_t)st.st_ino);
		t->err = read_all(link);
	}
	close(fd);
}

static void visit_dir(struct kiter *t, int link, const char *dir, const char *fmt, bool numbers)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[300];

	while (d && (e = readdir(d))) {
		if (*e->d_name == '.' || (numbers && !isdigit((unsigned char)*e->d_name)))
			continue;
		snprintf(path, sizeof(path), fmt, e->d_name);
		visit(t, link, path);
	}
	if (d)
		closedir(d);
}

static void tour(struct kiter *t, int link)
{
	t->seen.n = 0;
	visit(t, link, "/proc/self/ns/net");
	visit_dir(t, link, "/proc", "/proc/%s/ns/net", true);
	visit_dir(t, link, "/run/netns", "/run/netns/%s", false);
}

static void end_showing(uint32_t *walking)
{
	if (walking)
		__atomic_store_n(walking, 0, __ATOMIC_RELAXED);
}

static void *walk(void *arg)
{
	struct kiter *t = arg;

	for (size_t i = 0; i < t->link.n && !t->err; i++) {
		if (t->of_ns.v[i])
			tour(t, t->link.v[i]);
		else
			t->err = read_all(t->link.v[i]);
	}
	end_showing(t->walking);
	__atomic_store_n(&t->done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* ----------------------------------------------------------- start and end */

/* Tasks and their files are shown whatever namespace they are in. */
static bool is_of_namespace(const struct unit *u)
{
	return strncmp(u->target, "task", 4) != 0;
}

/* Those that are of a namespace, or those that are not. */
static int make_links(struct kernel *k, struct kiter *t, bool prepare, bool of_ns, struct diag *d)
{
	for (uint32_t i = 0; i < k->p->nunit; i++) {
		const struct unit *u = &k->p->unit[i];
		int link;

		if (u->hook != HOOK_ITER || !(prepare ? u->prepares : u->fires) || is_of_namespace(u) != of_ns)
			continue;
		link = kbpf_link_iter(k->unit[i].prog);
		if (link < 0)
			return diag_error(d, D_SYS, NOLOC, "failed to enable '%s': cannot attach the iterator: %s",
					  u->target, kbpf_strerror(-link));
		vec_push(&t->link, link);
		vec_push(&t->of_ns, of_ns);
	}
	return 0;
}

static void discard(struct kiter *t)
{
	for (size_t i = 0; i < t->link.n; i++)
		close(t->link.v[i]);
	vec_free(&t->link);
	vec_free(&t->of_ns);
	vec_free(&t->seen);
	xfree(t);
}

static bool is_done(const struct kiter *t)
{
	return __atomic_load_n(&t->done, __ATOMIC_ACQUIRE);
}

/* What they find should be known when we say that we trace, but the records need room. */
static void wait_a_little(const struct kernel *k, const struct kiter *t)
{
	static const struct timespec nap = {0, NAP_NS};

	for (unsigned i = 0; i < PATIENCE_NS / NAP_NS; i++) {
		if (is_done(t) || kring_used(&k->ring) > k->ring.size / 4)
			return;
		nanosleep(&nap, NULL);
	}
}

int kiters_start(struct kernel *k, bool prepare, struct diag *d)
{
	struct kiter *t = xcalloc(1, sizeof(*t));
	int err;

	t->walking = prepare ? NULL : &k->globals->walking;
	/* Tasks first: then it is known whose a socket is when that is shown. */
	if (make_links(k, t, prepare, false, d) || make_links(k, t, prepare, true, d)) {
		discard(t);
		return -1;
	}
	if (!t->link.n) {
		end_showing(t->walking);
		discard(t);
		return 0;
	}
	err = pthread_create(&t->thread, NULL, walk, t);
	if (err) {
		discard(t);
		return diag_error(d, D_SYS, NOLOC, "cannot make a thread: %s", strerror(err));
	}
	k->iter[prepare] = t;
	wait_a_little(k, t);
	return 0;
}

static int end_walk(struct kiter *t)
{
	int err;

	__atomic_store_n(&t->enough, true, __ATOMIC_RELAXED);
	pthread_join(t->thread, NULL);
	err = t->err;
	discard(t);
	return err;
}

int kiters_end(struct kernel *k, bool wait)
{
	int err = 0;

	for (unsigned i = 0; i < 2; i++) {
		if (!k->iter[i] || (!wait && !is_done(k->iter[i])))
			continue;
		err = end_walk(k->iter[i]) ?: err;
		k->iter[i] = NULL;
	}
	return err;
}
