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
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/kernel_bpf.h"

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

struct tour {
	int link;
	VEC(uint64_t) seen; /* inode numbers of namespaces visited */
	int err;
};

static bool is_seen(const struct tour *t, uint64_t inode)
{
	for (size_t i = 0; i < t->seen.n; i++)
		if (t->seen.v[i] == inode)
			return true;
	return false;
}

/* A namespace that is gone meanwhile has nothing to show. */
static void visit(struct tour *t, const char *path)
{
	struct stat st;
	int fd;

	if (t->err || stat(path, &st) || is_seen(t, st.st_ino))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!setns(fd, CLONE_NEWNET)) {
		vec_push(&t->seen, (uint64_t)st.st_ino);
		t->err = read_all(t->link);
	}
	close(fd);
}

static void visit_dir(struct tour *t, const char *dir, const char *fmt, bool numbers)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[300];

	while (d && (e = readdir(d))) {
		if (*e->d_name == '.' || (numbers && !isdigit((unsigned char)*e->d_name)))
			continue;
		snprintf(path, sizeof(path), fmt, e->d_name);
		visit(t, path);
	}
	if (d)
		closedir(d);
}

static void *tour_thread(void *arg)
{
	struct tour *t = arg;

	visit(t, "/proc/thread-self/ns/net");
	visit_dir(t, "/proc", "/proc/%s/ns/net", true);
	visit_dir(t, "/run/netns", "/run/netns/%s", false);
	return NULL;
}

static int run_everywhere(int link)
{
	struct tour t = {.link = link};
	pthread_t thread;
	int err = pthread_create(&thread, NULL, tour_thread, &t);

	if (err)
		return -err;
	pthread_join(thread, NULL);
	vec_free(&t.seen);
	return t.err;
}

/* Tasks and their files are shown whatever namespace they are in. */
static bool is_of_namespace(const struct unit *u)
{
	return strncmp(u->target, "task", 4) != 0;
}

int kiters_run(struct kernel *k, struct diag *d)
{
	for (uint32_t i = 0; i < k->p->nunit; i++) {
		const struct unit *u = &k->p->unit[i];
		int link, err;

		if (u->hook != HOOK_ITER)
			continue;
		link = kbpf_link_iter(k->unit[i].prog);
		err = link < 0 ? link : is_of_namespace(u) ? run_everywhere(link) : read_all(link);
		if (link >= 0)
			close(link);
		if (err)
			return diag_error(d, D_SYS, NOLOC, "failed to enable '%s': cannot run the iterator: %s",
					  u->target, kbpf_strerror(-err));
	}
	return 0;
}
