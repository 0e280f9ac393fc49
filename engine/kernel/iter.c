/*
 * iter.c - runs iterator units, which fire for each socket, task or file that exists when tracing
 * starts.
 *
 * An iterator over sockets shows the network namespace of the thread that opens it. So a thread
 * visits all namespaces: first its own, then those of processes, then those that have a name in
 * /run/netns. The main thread never leaves its own namespace.
 */
#include "engine/kernel/impl.h"

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
#include "engine/kernel/bpf.h"

enum {
	WAIT_MAX_NS = 200000000, /* maximum time that the start of tracing waits for the walk */
	NAP_NS = 100000,
};

struct inodes {
	VEC(uint64_t) no;
};

/* One walk, on a thread of its own, so that the main thread can read records meanwhile. */
struct kiter {
	pthread_t thread;
	VEC(int) link; /* links of the iterators, in the order in which they run */
	/* for each link, whether its iterator shows only one network namespace */
	VEC(bool) of_ns;
	/* namespaces that the current iterator has visited, and their files in /proc */
	struct inodes seen;
	/* word that is set to 0 after the walk; NULL on the walk for hidden clauses */
	uint32_t *iterating;
	bool left_own_ns;     /* the thread is in another namespace */
	struct inodes denied; /* files of namespaces that dtrace may not enter */
	bool stop;            /* request to stop before the next namespace */
	bool done;
	int err; /* negative errno, or 0; does not change any more once `done` is set */
};

/* --------------------------------------------------- one run of an iterator */

/*
 * Runs the iterator at @link once, by reading it to its end. The text that read() returns is empty,
 * because the program writes records to the ring instead.
 */
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

/* ---------------------------------------------------- all network namespaces */

static bool has(const struct inodes *in, uint64_t no)
{
	for (size_t i = 0; i < in->no.n; i++)
		if (in->no.v[i] == no)
			return true;
	return false;
}

static void add(struct inodes *in, uint64_t no)
{
	if (!has(in, no))
		vec_push(&in->no, no);
}

/*
 * Adds the number of a namespace: the inode number of the file at @path. Files in /proc that belong
 * to a namespace have unique inode numbers. Everybody may stat these files, even if dtrace may not
 * enter the namespace. A namespace that has both processes and a name in /run/netns is counted
 * twice.
 */
static void add_file(struct inodes *in, const char *path)
{
	struct stat st;

	if (!stat(path, &st))
		add(in, st.st_ino);
}

static unsigned count_denied(const struct kiter *t)
{
	unsigned n = 0;

	for (size_t i = 0; i < t->denied.no.n; i++)
		n += !has(&t->seen, t->denied.no.v[i]);
	return n;
}

static int enter(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = setns(fd, CLONE_NEWNET) ? -errno : 0;
	close(fd);
	return err;
}

/*
 * Enters the namespace at @path and runs the iterator there. Does nothing if the namespace is gone
 * or was visited before, or if the thread has to stop. If dtrace may not enter the namespace, adds
 * the inode of @file to t->denied.
 */
static void visit(struct kiter *t, int link, const char *path, const char *file)
{
	struct stat st;
	int err;

	if (t->err || __atomic_load_n(&t->stop, __ATOMIC_RELAXED))
		return;
	err = stat(path, &st) ? -errno : 0;
	if (!err && has(&t->seen, st.st_ino))
		return;
	if (!err)
		err = enter(path);
	if (err == -EACCES || err == -EPERM)
		add_file(&t->denied, file);
	if (err)
		return;
	t->left_own_ns = true;
	add(&t->seen, st.st_ino);
	add_file(&t->seen, file);
	t->err = read_all(link);
}

/*
 * Visits the namespace of each entry of @dir. @fmt is a format that makes the path of a namespace
 * from the name of an entry. @file, unless NULL, is a format for the path of a file in /proc that
 * belongs to the namespace.
 */
static void visit_dir(struct kiter *t, int link, const char *dir, const char *fmt, const char *file)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[300], own[300];

	while (d && (e = readdir(d))) {
		if (*e->d_name == '.' || (file && !isdigit((unsigned char)*e->d_name)))
			continue;
		snprintf(path, sizeof(path), fmt, e->d_name);
		snprintf(own, sizeof(own), file ?: fmt, e->d_name);
		visit(t, link, path, own);
	}
	if (d)
		closedir(d);
}

/* The namespace of the main thread, in which this thread starts. */
static const char own_ns[] = "/proc/self/ns/net";

static void return_to_own_ns(struct kiter *t)
{
	int err = t->left_own_ns ? enter(own_ns) : 0;

	t->left_own_ns = err != 0;
	t->err = t->err ?: err;
}

static void visit_namespaces(struct kiter *t, int link)
{
	t->seen.no.n = 0;
	t->denied.no.n = 0; /* start over: each iterator finds all denied namespaces again */
	add_file(&t->seen, own_ns);
	add_file(&t->seen, "/proc/self/net/dev");
	t->err = read_all(link); /* the current namespace needs no permission */
	visit_dir(t, link, "/proc", "/proc/%s/ns/net", "/proc/%s/net/dev");
	visit_dir(t, link, "/run/netns", "/run/netns/%s", NULL);
	return_to_own_ns(t);
}

static void end_showing(uint32_t *iterating)
{
	if (iterating)
		__atomic_store_n(iterating, 0, __ATOMIC_RELAXED);
}

static void *walk(void *arg)
{
	struct kiter *t = arg;

	for (size_t i = 0; i < t->link.n && !t->err; i++) {
		if (t->of_ns.v[i])
			visit_namespaces(t, t->link.v[i]);
		else
			t->err = read_all(t->link.v[i]);
	}
	end_showing(t->iterating);
	__atomic_store_n(&t->done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* ----------------------------------------------------------- start and end */

/*
 * Returns whether the iterator @u shows only one network namespace. Iterators over tasks and their
 * files ignore namespaces.
 */
static bool is_of_namespace(const struct unit *u)
{
	return strncmp(u->target, "task", 4) != 0;
}

/*
 * Makes links of iterators: if @of_ns, of those that show one network namespace, else of those that
 * ignore namespaces. @prepare selects units as in kiters_start().
 */
static int make_links(struct kernel *k, struct kiter *t, bool prepare, bool of_ns, struct diag *d)
{
	for (uint32_t i = 0; i < k->p->nunit; i++) {
		const struct unit *u = &k->p->unit[i];
		int link;

		if (u->hook != HOOK_ITER || !(prepare ? u->has_hidden : u->has_probes) ||
		    is_of_namespace(u) != of_ns)
			continue;
		link = kbpf_link_iter(k->unit[i].prog);
		if (link < 0)
			return diag_error(d, D_SYS, NOLOC,
					  "failed to enable '%s': cannot attach the iterator: %s",
					  u->target, kbpf_strerror(-link));
		vec_push(&t->link, link);
		vec_push(&t->of_ns, of_ns);
	}
	return 0;
}

static void kiter_free(struct kiter *t)
{
	for (size_t i = 0; i < t->link.n; i++)
		close(t->link.v[i]);
	vec_free(&t->link);
	vec_free(&t->of_ns);
	vec_free(&t->seen.no);
	vec_free(&t->denied.no);
	xfree(t);
}

static bool is_done(const struct kiter *t)
{
	return __atomic_load_n(&t->done, __ATOMIC_ACQUIRE);
}

/*
 * Waits for the walk, so that its results are known when dtrace says that tracing has started.
 * Stops waiting after about 200 ms. Also stops when a quarter of the ring is full, because records
 * need to be read.
 */
static void wait_for_walk(const struct kernel *k, const struct kiter *t)
{
	static const struct timespec nap = {0, NAP_NS};

	for (unsigned i = 0; i < WAIT_MAX_NS / NAP_NS; i++) {
		if (is_done(t) || kring_used(&k->ring) > k->ring.size / 4)
			return;
		nanosleep(&nap, NULL);
	}
}

int kiters_start(struct kernel *k, bool prepare, struct diag *d)
{
	struct kiter *t = xcalloc(1, sizeof(*t));
	int err;

	t->iterating = prepare ? NULL : &k->globals->iterating;
	/*
	 * Iterators over tasks come first, so that a socket's owner is known when the socket is
	 * shown.
	 */
	if (make_links(k, t, prepare, false, d) || make_links(k, t, prepare, true, d)) {
		kiter_free(t);
		return -1;
	}
	if (!t->link.n) {
		end_showing(t->iterating);
		kiter_free(t);
		return 0;
	}
	err = kthread_start(&t->thread, walk, t);
	if (err) {
		kiter_free(t);
		return diag_error(d, D_SYS, NOLOC,
				  "cannot start the thread that lists existing sockets and tasks: "
				  "%s",
				  strerror(err));
	}
	k->iter[prepare] = t;
	wait_for_walk(k, t);
	return 0;
}

static int end_walk(struct kiter *t, unsigned *denied)
{
	int err;

	__atomic_store_n(&t->stop, true, __ATOMIC_RELAXED);
	pthread_join(t->thread, NULL);
	err = t->err;
	*denied = count_denied(t);
	kiter_free(t);
	return err;
}

int kiters_reap(struct kernel *k, bool wait)
{
	unsigned denied;
	int err = 0;

	for (unsigned i = 0; i < 2; i++) {
		if (!k->iter[i] || (!wait && !is_done(k->iter[i])))
			continue;
		err = end_walk(k->iter[i], &denied) ?: err;
		k->iter[i] = NULL;
		if (!i) /* only the walk for probes reports denied namespaces */
			k->denied = denied;
	}
	return err;
}
