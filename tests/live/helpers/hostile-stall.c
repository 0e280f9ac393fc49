/*
 * hostile-stall fuse|expired|overlay|lock FOLDER LIBRARY: makes calls from a library on a file
 * system that does not answer.
 *
 * The program serves a FUSE file system at FOLDER/fuse. Its only file, lib.so, has the bytes of
 * LIBRARY. With "overlay", the program also mounts an overlay of FOLDER/fuse and FOLDER/empty at
 * FOLDER/overlay. It maps lib.so and stops answering requests. Then it makes calls whose forged
 * return addresses lie in lib.so. The server ends 20 seconds after its start. The mounts are in
 * user and mount namespaces of their own, which end with the program.
 *
 * With "expired", the mount is in the mount namespace of the caller, and the kernel may not keep
 * the name lib.so in its cache.
 *
 * With "lock", the program keeps the lock of its list of mappings for 3 seconds: a thread reads the
 * memory where lib.so is mapped, and another thread waits to map memory. Then the program makes
 * calls whose forged return addresses lie in LIBRARY. While the lock is kept, programs such as ps
 * wait for it, too.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "hostile.h"

FAKE_CALL

#define LIB 2 /* inode number of lib.so; the number of the folder is FUSE_ROOT_ID */

#define LOCK_S 3 /* time for which "lock" keeps the lock, in seconds */

static volatile sig_atomic_t silent;
static bool locks, expires;
static char *data;
static size_t size;

static void be_silent(int sig)
{
	(void)sig;
	silent = 1;
	if (locks)
		alarm(LOCK_S);
}

static void reply(int fd, uint64_t unique, int error, const void *p, size_t n)
{
	static char buf[1 << 17];
	struct fuse_out_header h = {(uint32_t)(sizeof(h) + n), -error, unique};

	memcpy(buf, &h, sizeof(h));
	memcpy(buf + sizeof(h), p, n);
	if (write(fd, buf, sizeof(h) + n) < 0 && errno != ENOENT)
		err(1, "answer");
}

#define REPLY(type, ...) reply(fd, in->unique, 0, &(type)__VA_ARGS__, sizeof(type))

static struct fuse_attr attributes(uint64_t number)
{
	bool file = number == LIB;

	return (struct fuse_attr){.ino = number,
				  .nlink = 1,
				  .size = file ? size : 0,
				  .uid = getuid(),
				  .gid = getgid(),
				  .mode = 0755 | (file ? S_IFREG : S_IFDIR)};
}

static void answer(int fd, const struct fuse_in_header *in)
{
	const struct fuse_read_in *r = (const void *)(in + 1);
	size_t at;

	if (in->opcode == FUSE_INIT)
		REPLY(struct fuse_init_out, {.major = 7, .minor = 31, .max_write = 65536});
	else if (in->opcode == FUSE_LOOKUP && !strcmp((const char *)(in + 1), "lib.so"))
		REPLY(struct fuse_entry_out,
		      {.nodeid = LIB, .entry_valid = expires ? 0 : 1000, .attr = attributes(LIB)});
	else if (in->opcode == FUSE_GETATTR)
		REPLY(struct fuse_attr_out, {.attr = attributes(in->nodeid)});
	else if (in->opcode == FUSE_OPEN || in->opcode == FUSE_OPENDIR)
		REPLY(struct fuse_open_out, {.fh = 1});
	else if (in->opcode == FUSE_STATFS)
		REPLY(struct fuse_statfs_out, {.st = {.bsize = 4096, .namelen = 255}});
	else if (in->opcode == FUSE_FLUSH || in->opcode == FUSE_RELEASE ||
		 in->opcode == FUSE_RELEASEDIR)
		reply(fd, in->unique, 0, "", 0);
	else if (in->opcode == FUSE_READ) {
		at = r->offset < size ? r->offset : size;
		reply(fd, in->unique, 0, data + at, size - at < r->size ? size - at : r->size);
	} else if (in->opcode != FUSE_FORGET && in->opcode != FUSE_BATCH_FORGET)
		reply(fd, in->unique, in->opcode == FUSE_LOOKUP ? ENOENT : ENOSYS, "", 0);
}

static void serve(int fd)
{
	struct sigaction sa = {.sa_handler = be_silent};
	static char buf[1 << 17];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/*
	 * ends this server by itself, because nobody can kill the process that waits for its answer
	 */
	alarm(20);
	sigaction(SIGUSR1, &sa, NULL);
	for (;;) {
		ssize_t n = read(fd, buf, sizeof(buf));

		if (n < 0 && errno != EINTR)
			err(1, "/dev/fuse");
		if (n > 0 && !silent)
			answer(fd, (const void *)buf);
	}
}

static void read_library(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		err(1, "%s", path);
	size = (size_t)st.st_size;
	data = malloc(size);
	if (!data || read(fd, data, size) != (ssize_t)size)
		err(1, "%s", path);
	close(fd);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	if (!f || fputs(text, f) < 0 || fclose(f))
		err(1, "%s", path);
}

static void make_namespaces(void)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		err(1, "namespaces");
	write_file("/proc/self/uid_map", "0 0 1");
	write_file("/proc/self/setgroups", "deny");
	write_file("/proc/self/gid_map", "0 0 1");
}

static pid_t mount_fuse(const char *at)
{
	char how[100];
	pid_t pid;
	int fd;

	if (!expires)
		make_namespaces();
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		err(1, "/");
	/* the kernel accepts only a device opened in the user namespace that mounts it */
	fd = open("/dev/fuse", O_RDWR);
	if (fd < 0)
		err(1, "/dev/fuse");
	snprintf(how, sizeof(how), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd);
	if (mount("stall", at, "fuse", MS_NOSUID | MS_NODEV, how))
		err(1, "%s", at);
	pid = fork();
	if (!pid)
		serve(fd);
	close(fd);
	return pid;
}

static const char *map(const char *path)
{
	int fd = open(path, O_RDONLY);
	void *at = fd < 0 ? MAP_FAILED
			  : mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	if (at == MAP_FAILED)
		err(1, "%s", path);
	close(fd);
	return at;
}

/* Waits for the server while it holds the lock for reading. */
static void *read_memory(void *where)
{
	int fd = open("/proc/self/mem", O_RDONLY);
	char c;

	if (pread(fd, &c, 1, (off_t)(uintptr_t)where) == 1)
		errx(1, "the server answers");
	return NULL;
}

/* Waits for the lock for writing. Readers that come later wait behind this thread. */
static void *map_memory(void *unused)
{
	usleep(200000); /* let read_memory() take the lock first */
	mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return unused;
}

static void keep_lock(const char *at)
{
	pthread_t t;

	/* Start this thread first. Starting a thread needs the lock, too. */
	if (pthread_create(&t, NULL, map_memory, NULL) ||
	    pthread_create(&t, NULL, read_memory, (void *)(uintptr_t)at))
		errx(1, "no thread");
	usleep(400000);
}

int main(int argc, char **argv)
{
	const char *at, *library = NULL;
	pid_t server;
	bool overlay;

	if (argc != 4 || chdir(argv[2]))
		errx(2, "usage: hostile-stall fuse|expired|overlay|lock FOLDER LIBRARY");
	overlay = !strcmp(argv[1], "overlay");
	locks = !strcmp(argv[1], "lock");
	expires = !strcmp(argv[1], "expired");
	read_library(argv[3]);
	if (locks)
		library = map(argv[3]);
	server = mount_fuse("fuse");
	if (overlay && mount("overlay", "overlay", "overlay", 0, "lowerdir=fuse:empty"))
		err(1, "overlay");
	at = map(overlay ? "overlay/lib.so" : "fuse/lib.so");
	/* gives the server time for the last requests, which release closed files */
	usleep(200000);
	kill(server, SIGUSR1);
	if (locks) {
		usleep(200000);
		keep_lock(at);
		at = library;
	}
	puts("silent");
	fflush(stdout);
	for (size_t round = 0;; round++) {
		struct fake_frame f = {NULL, at + size / 2 + round % 64};

		fake_call(&f);
		usleep(5000);
	}
}
