/*
 * load.c - loads hand-written programs, attaches them, and prints their counts at SIGINT or
 * SIGTERM.
 *
 * usage: hand FILE.bpf.o [PROGRAM...]
 *
 * With PROGRAM, loads only these programs of the file. Prints one line per key: the key, a space,
 * and the count over all CPUs; for a key of tcptop.bpf.c, the line of tcptop. A count of 0 is not
 * printed. If the name of the first PROGRAM contains "_event", also prints the records of the map
 * "ring" as they come.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <fcntl.h>
#include <mntent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tcp.h"

struct address {
	uint32_t version;
	uint8_t bytes[16];
};

static const char *address_text(uint32_t family, const void *addr)
{
	static char text[2][INET6_ADDRSTRLEN];
	static int i;

	i = !i;
	return inet_ntop(family == 2 ? AF_INET : AF_INET6, addr, text[i], sizeof(text[i]));
}

/* Prints a key of tcptop.bpf.c and its count. */
static void print_talk(const struct talk *t, uint64_t bytes)
{
	printf("%7u %-15s %9lu %-15s %5u %s %-15s %5u\n", t->owner.pid, t->owner.name,
	       (unsigned long)bytes, address_text(t->family, t->laddr), t->lport,
	       t->out ? "->" : "<-", address_text(t->family, t->raddr), t->rport);
}

static void print_key(const void *key, size_t size)
{
	const struct address *a = key;
	char text[INET6_ADDRSTRLEN];

	if (size == sizeof(*a))
		printf("%s", inet_ntop(a->version == 4 ? AF_INET : AF_INET6, a->bytes, text,
				       sizeof(text)));
	else if (size == 16)
		printf("%.16s", (const char *)key);
	else
		printf("%d", *(const int *)key);
}

static void print_map(struct bpf_map *m)
{
	int ncpu = libbpf_num_possible_cpus();
	size_t key_size = bpf_map__key_size(m);
	uint64_t *values = calloc(ncpu, sizeof(*values)), sum;
	char key[128] = "";
	const void *last = NULL;

	while (!bpf_map_get_next_key(bpf_map__fd(m), last, key)) {
		last = key;
		sum = 0;
		if (bpf_map_lookup_elem(bpf_map__fd(m), key, values))
			continue;
		for (int i = 0; i < ncpu; i++)
			sum += values[i];
		if (!sum)
			continue;
		if (key_size == sizeof(struct talk)) {
			print_talk((const void *)key, sum);
			continue;
		}
		print_key(key, key_size);
		printf(" %lu\n", (unsigned long)sum);
	}
	free(values);
}

static void wait_for_end(void)
{
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &sig);
}

/* Prints the record of tcplife.bpf.c. */
static void print_life(const struct life *l)
{
	printf("%7u %-15s %9lu %9lu %7lu %5u %-15s %5u\n", l->owner.pid, l->owner.name,
	       (unsigned long)l->sent, (unsigned long)l->received, (unsigned long)(l->ns / 1000000),
	       l->lport, address_text(l->family, l->raddr), l->rport);
}

static int print_record(void *ctx, void *data, size_t size)
{
	(void)ctx;
	if (size == sizeof(struct life))
		print_life(data);
	else
		printf("%lu bytes\n", *(unsigned long *)data);
	return 0;
}

static volatile sig_atomic_t ended;

static void on_end(int sig)
{
	(void)sig;
	ended = 1;
}

/*
 * Prints records until a signal ends this process. Waits a little after each poll, as dtrace does,
 * so that not every record wakes this process.
 */
static void print_ring(struct bpf_map *m)
{
	struct ring_buffer *r = ring_buffer__new(bpf_map__fd(m), print_record, NULL, NULL);
	struct sigaction act = {.sa_handler = on_end};

	if (!r)
		err(1, "ring");
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	while (!ended) {
		ring_buffer__poll(r, 100);
		usleep(500);
	}
	ring_buffer__consume(r);
}

static bool is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (!strcmp(name, argv[i]))
			return true;
	return argc < 3;
}

/* Opens the root directory of the control groups, where cgroup2 is mounted first. */
static int root_cgroup(void)
{
	FILE *f = setmntent("/proc/self/mounts", "r");
	struct mntent *m;
	int fd = -1;

	while (f && fd < 0 && (m = getmntent(f)))
		if (!strcmp(m->mnt_type, "cgroup2"))
			fd = open(m->mnt_dir, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		errx(1, "no cgroup2 is mounted");
	return fd;
}

static struct bpf_link *attach(struct bpf_program *p)
{
	enum bpf_prog_type type = bpf_program__type(p);

	if (type == BPF_PROG_TYPE_CGROUP_SKB || type == BPF_PROG_TYPE_CGROUP_SOCK ||
	    type == BPF_PROG_TYPE_SOCK_OPS)
		return bpf_program__attach_cgroup(p, root_cgroup());
	return bpf_program__attach(p);
}

int main(int argc, char **argv)
{
	struct bpf_object *obj;
	struct bpf_program *p;
	struct bpf_map *m;

	if (argc < 2)
		errx(2, "usage: hand FILE.bpf.o [PROGRAM]");
	obj = bpf_object__open(argv[1]);
	if (!obj)
		err(1, "cannot read %s", argv[1]);
	bpf_object__for_each_program(p, obj)
		bpf_program__set_autoload(p, is_wanted(bpf_program__name(p), argc, argv));
	if (bpf_object__load(obj))
		errx(1, "cannot load %s", argv[1]);
	bpf_object__for_each_program(p, obj) if (bpf_program__autoload(p) && !attach(p))
		err(1, "cannot attach %s", bpf_program__name(p));

	m = argc > 2 && strstr(argv[2], "_event") ? bpf_object__find_map_by_name(obj, "ring")
						  : NULL;
	if (m)
		print_ring(m);
	else
		wait_for_end();
	bpf_object__for_each_map(m, obj) if (bpf_map__type(m) == BPF_MAP_TYPE_PERCPU_HASH ||
					     bpf_map__type(m) == BPF_MAP_TYPE_PERCPU_ARRAY)
		print_map(m);
	bpf_object__close(obj);
	return 0;
}
