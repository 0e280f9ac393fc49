/*
 * test_kernel_engine.c - runs hand-written programs in the kernel engine, and checks records,
 * ticks, hooks, maps, losses and refusals. Several tests also check that no program stays loaded.
 * Needs root and BPF.
 */
#include <errno.h>
#include <net/if.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <linux/bpf.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "engine/kernel/kernel.h"
#include "engine/kernel/bpf.h"
#include "engine/kernel/impl.h"
#include "engine/source.h"
#include "ir/program.h"
#include "tests/check.h"
#include "ir/types/btf.h"

/* --------------------------------------------------------------- assembler */

struct code {
	struct insn v[256];
	uint32_t n;
};

static uint32_t put(struct code *c, int code, int dst, int src, int off, int imm)
{
	assert_true(c->n < sizeof(c->v) / sizeof(*c->v));
	c->v[c->n] = (struct insn){.code = code, .dst = dst, .src = src, .off = off, .imm = imm};
	return c->n++;
}

static void mov(struct code *c, int dst, int src)
{
	put(c, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static void movi(struct code *c, int dst, int imm)
{
	put(c, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

static void addi(struct code *c, int dst, int imm)
{
	put(c, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm);
}

static void load(struct code *c, int size, int dst, int src, int off)
{
	put(c, BPF_LDX | BPF_MEM | size, dst, src, off, 0);
}

static void store(struct code *c, int size, int dst, int off, int src)
{
	put(c, BPF_STX | BPF_MEM | size, dst, src, off, 0);
}

static void storei(struct code *c, int size, int dst, int off, int imm)
{
	put(c, BPF_ST | BPF_MEM | size, dst, 0, off, imm);
}

static void call(struct code *c, int helper)
{
	put(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

static void map(struct code *c, int dst, int ref, int index)
{
	put(c, BPF_LD | BPF_IMM | BPF_DW, dst, ref, 0, index);
	put(c, 0, 0, 0, 0, 0);
}

/* Emits a jump that is taken if @reg is 0. Returns its index; here() sets the target. */
static uint32_t jump_if_zero(struct code *c, int reg)
{
	return put(c, BPF_JMP | BPF_JEQ | BPF_K, reg, 0, 0, 0);
}

static uint32_t jump(struct code *c)
{
	return put(c, BPF_JMP | BPF_JA, 0, 0, 0, 0);
}

static void here(struct code *c, uint32_t from)
{
	c->v[from].off = c->n - from - 1;
}

static void leave(struct code *c, int r0)
{
	movi(c, 0, r0);
	put(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/*
 * Emits code that increments the u64 at @off in the MAP_PERCPU value. The code clobbers r0-r5 and
 * the key at fp-8.
 */
static void count_percpu(struct code *c, int off)
{
	uint32_t null;

	storei(c, BPF_DW, BPF_REG_10, -8, 0);
	map(c, 1, INSN_MAP, MAP_ID_PERCPU);
	mov(c, 2, 10);
	addi(c, 2, -8);
	call(c, BPF_FUNC_map_lookup_elem);
	null = jump_if_zero(c, 0);
	load(c, BPF_DW, 1, 0, off);
	addi(c, 1, 1);
	store(c, BPF_DW, 0, off, 1);
	here(c, null);
}

struct rec {
	struct record r;
	uint64_t value;
};

/*
 * Emits code that writes a record of @size bytes with @epid and the value of @reg (r6-r9). The code
 * counts a drop if the ring is full.
 */
static void emit_record(struct code *c, uint32_t epid, int reg, int size)
{
	uint32_t full, done;

	map(c, 1, INSN_MAP, MAP_ID_RING);
	movi(c, 2, size);
	movi(c, 3, 0);
	call(c, BPF_FUNC_ringbuf_reserve);
	full = jump_if_zero(c, 0);
	storei(c, BPF_W, 0, 0, epid);
	storei(c, BPF_W, 0, 4, 0);
	store(c, BPF_DW, 0, 8, reg);
	mov(c, 1, 0);
	movi(c, 2, 0);
	call(c, BPF_FUNC_ringbuf_submit);
	done = jump(c);
	here(c, full);
	count_percpu(c, offsetof(struct percpu, drops));
	here(c, done);
}

/*
 * Emits code that increments the value of key @reg (r6-r9) in the per-CPU hash @index. The code
 * clobbers fp-16..fp-1.
 */
static void count_key(struct code *c, int index, int reg)
{
	uint32_t hit, miss, null;

	store(c, BPF_DW, 10, -8, reg);
	map(c, 1, INSN_MAP, index);
	mov(c, 2, 10);
	addi(c, 2, -8);
	call(c, BPF_FUNC_map_lookup_elem);
	miss = jump_if_zero(c, 0);
	hit = jump(c);
	here(c, miss);
	storei(c, BPF_DW, 10, -16, 0);
	map(c, 1, INSN_MAP, index);
	mov(c, 2, 10);
	addi(c, 2, -8);
	mov(c, 3, 10);
	addi(c, 3, -16);
	movi(c, 4, BPF_NOEXIST);
	call(c, BPF_FUNC_map_update_elem);
	map(c, 1, INSN_MAP, index);
	mov(c, 2, 10);
	addi(c, 2, -8);
	call(c, BPF_FUNC_map_lookup_elem);
	here(c, hit);
	null = jump_if_zero(c, 0);
	load(c, BPF_DW, 1, 0, 0);
	addi(c, 1, 1);
	store(c, BPF_DW, 0, 0, 1);
	here(c, null);
}

/*
 * Emits code that ends the program with result @r0 unless the gate (globals.gate) is open. The code
 * clobbers r1.
 */
static void gate(struct code *c, int r0)
{
	uint32_t shut, open;

	map(c, 1, INSN_MAP_VALUE, MAP_ID_GLOBAL);
	load(c, BPF_W, 1, 1, offsetof(struct globals, gate));
	shut = jump_if_zero(c, 1);
	open = jump(c);
	here(c, shut);
	leave(c, r0);
	here(c, open);
}

/* ----------------------------------------------------------------- fixture */

enum { MAXUNIT = 4, HASH = MAP_ID_FIRST_OTHER, PLAIN, NMAP, MAXREC = 4096, TINY = 4096 };

struct fix {
	struct code code[MAXUNIT];
	struct unit unit[MAXUNIT];
	struct map_def map[NMAP];
	struct program p;
	struct diag d;
	struct source *s;
	struct record_sink sink;
	struct rec rec[MAXREC];
	unsigned nrec;
	unsigned done_at; /* number of records after which the sink sets done; 0 if it never does */
	bool fire_error;  /* the sink fires ERROR for records of epid 0 */
};

static char tag[12]; /* name of the units, which identifies the programs of this process */

static void take(void *ctx, const struct record *r, size_t size)
{
	struct fix *f = ctx;

	assert_true(size >= sizeof(struct rec));
	if (f->nrec < MAXREC)
		f->rec[f->nrec] = *(const struct rec *)r;
	if (++f->nrec == f->done_at)
		f->sink.done = true;
	if (f->fire_error && !r->epid)
		f->s->ops->fire(f->s, RUN_ERROR, NULL, &f->sink);
}

static struct fix *fix_new(void)
{
	struct fix *f = calloc(1, sizeof(*f));

	f->map[MAP_ID_GLOBAL] = (struct map_def){.kind = MAP_GLOBAL,
						 .name = "globals",
						 .value_size = 100};
	f->map[MAP_ID_PERCPU] = (struct map_def){.kind = MAP_PERCPU,
						 .name = "percpu",
						 .value_size = 4096};
	f->map[MAP_ID_RING] = (struct map_def){.kind = MAP_RING, .name = "ring"};
	f->map[HASH] = (struct map_def){.kind = MAP_PERCPU_HASH,
					.name = "@agg (odd name)",
					.key_size = 8,
					.value_size = 8};
	f->map[PLAIN] = (struct map_def){.kind = MAP_HASH,
					 .name = "plain",
					 .key_size = 8,
					 .value_size = 8,
					 .max_entries = 1000};
	f->p = (struct program){.unit = f->unit, .map = f->map, .nmap = NMAP};
	f->sink = (struct record_sink){.record = take, .ctx = f};
	return f;
}

/* Adds a unit whose name contains the process ID. Its code begins by copying the context to r6. */
static struct code *add_unit(struct fix *f, enum hook_kind hook, enum run_kind run)
{
	uint32_t i = f->p.nunit++;
	struct code *c = &f->code[i];

	f->unit[i] = (struct unit){.hook = hook, .run = run, .target = tag, .insn = c->v};
	mov(c, 6, 1);
	return c;
}

static int start(struct fix *f, uint64_t bufsize)
{
	const struct kernel_opts o = {.bufsize = bufsize};

	for (uint32_t i = 0; i < f->p.nunit; i++)
		f->unit[i].ninsn = f->code[i].n;
	f->s = kernel_source_new(&o);
	return f->s->ops->start(f->s, &f->p, &f->d);
}

static void start_ok(struct fix *f, uint64_t bufsize)
{
	if (start(f, bufsize))
		fail_msg("start: %s", f->d.msg);
}

static void go_ok(struct fix *f)
{
	if (f->s->ops->go(f->s, &f->sink, &f->d))
		fail_msg("go: %s", f->d.msg);
}

static void fix_free(struct fix *f)
{
	if (f->s)
		f->s->ops->free(f->s);
	diag_release(&f->d);
	free(f);
}

static bool no_bpf(void)
{
	struct diag d = {0};
	bool ok = kernel_supported(&d);

	if (!ok)
		print_message("SKIP: %s\n", d.msg);
	diag_release(&d);
	return !ok;
}

#define NEED_BPF() \
	do { \
		if (no_bpf()) \
			skip(); \
	} while (0)

/* Returns the number of programs of this name in the kernel. */
static int programs(const char *target)
{
	union bpf_attr attr;
	char name[KBPF_NAME];
	int n = 0;

	memset(&attr, 0, sizeof(attr));
	kbpf_name(name, "dt_", target);
	while (!syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr))) {
		struct bpf_prog_info info = {0};
		union bpf_attr a;
		int fd;

		memset(&a, 0, sizeof(a));
		attr.start_id = attr.next_id;
		a.prog_id = attr.next_id;
		fd = syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &a, sizeof(a));
		if (fd < 0)
			continue;
		memset(&a, 0, sizeof(a));
		a.info.bpf_fd = fd;
		a.info.info = (uintptr_t)&info;
		a.info.info_len = sizeof(info);
		if (!syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &a, sizeof(a)))
			n += !strcmp(info.name, name);
		close(fd);
	}
	return n;
}

/*
 * Checks that no program of this name is left. Waits, because the kernel frees a detached program
 * only after a grace period.
 */
static void assert_none_left(const char *target)
{
	for (int i = 0; i < 6000 && programs(target); i++)
		usleep(10000);
	assert_int_equal(programs(target), 0);
}

static int open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static const struct percpu *percpu_of(struct fix *f, uint32_t cpu)
{
	const char *all = f->s->ops->percpu(f->s);

	return (const struct percpu *)(all + (size_t)cpu * 4096);
}

/* ------------------------------------------------------------------ traffic */

static int lo_up(void)
{
	struct ifreq ifr = {.ifr_name = "lo"};
	int s = socket(AF_INET, SOCK_DGRAM, 0), err;

	err = ioctl(s, SIOCGIFFLAGS, &ifr);
	ifr.ifr_flags |= IFF_UP;
	err = err || ioctl(s, SIOCSIFFLAGS, &ifr);
	close(s);
	return err;
}

static int send_and_receive(int n, int bytes)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(4711)};
	struct timeval tmo = {.tv_sec = 60};
	int s = socket(AF_INET, SOCK_DGRAM, 0), got = 0;
	char buf[2048] = {0};

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &tmo, sizeof(tmo));
	if (bind(s, (struct sockaddr *)&to, sizeof(to)))
		return 1;
	for (int i = 0; i < n; i++) {
		sendto(s, buf, bytes, 0, (struct sockaddr *)&to, sizeof(to));
		got += recv(s, buf, sizeof(buf), 0) == bytes;
	}
	close(s);
	return got != n;
}

/* Sends @n datagrams over the loopback of a new network namespace, and checks that all arrive. */
static void traffic(int n, int bytes)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (unshare(CLONE_NEWNET) || lo_up())
			_exit(77);
		_exit(send_and_receive(n, bytes));
	}
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("SKIP: no network namespaces\n");
		skip();
	}
	assert_int_equal(status, 0);
}

/* --------------------------------------------------------------------- maps */

struct sum {
	uint32_t ncpu;
	uint64_t want; /* key whose values are added up; 0 for all keys */
	uint64_t total;
	unsigned keys;
	bool delete;
};

static bool add(void *ctx, const void *key, const void *value)
{
	const uint64_t *v = value;
	struct sum *s = ctx;

	if (s->want && *(const uint64_t *)key != s->want)
		return false;
	s->keys++;
	for (uint32_t i = 0; i < s->ncpu; i++)
		s->total += v[i];
	return s->delete;
}

static struct sum sum_of(struct fix *f, uint64_t want, bool delete)
{
	struct sum s = {.ncpu = f->s->ncpu, .want = want, .delete = delete};

	assert_int_equal(f->s->ops->map_each(f->s, HASH, add, &s), 0);
	return s;
}

static bool odd(void *ctx, const void *key, const void *value)
{
	add(ctx, key, value);
	return *(const uint64_t *)key & 1;
}

/* -------------------------------------------------------------------- tests */

static void records_of_begin_and_end(void **state)
{
	const uint64_t args[10] = {42, 43};
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	for (int epid = 1; epid <= 3; epid++) {
		c = add_unit(f, HOOK_RUN, epid == 3 ? RUN_END : RUN_BEGIN);
		load(c, BPF_DW, 7, 6, 8 * (epid - 1));
		emit_record(c, epid, 7, sizeof(struct rec));
		leave(c, 0);
	}
	start_ok(f, 0);
	assert_int_equal(f->s->ops->fire(f->s, RUN_BEGIN, args, &f->sink), 0);
	assert_int_equal(f->nrec, 2);
	assert_int_equal(f->rec[0].r.epid, 1);
	assert_int_equal(f->rec[0].value, 42);
	assert_int_equal(f->rec[1].r.epid, 2);
	assert_int_equal(f->rec[1].value, 43);
	assert_int_equal(f->s->ops->stop(f->s, &f->sink), 0);
	assert_int_equal(f->s->ops->fire(f->s, RUN_END, NULL, &f->sink), 0);
	assert_int_equal(f->nrec, 3);
	assert_int_equal(f->rec[2].r.epid, 3);
	assert_int_equal(f->rec[2].value, 0);
	fix_free(f);
	assert_none_left(tag);
}

/* A thousand records pass through a ring that holds about seventy. */
static void ring_wraps(void **state)
{
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_BEGIN);
	load(c, BPF_DW, 7, 6, 0);
	emit_record(c, 1, 7, 72);
	emit_record(c, 2, 7, 24);
	leave(c, 0);
	start_ok(f, TINY);
	for (uint64_t i = 0; i < 500; i++) {
		uint64_t args[10] = {i};

		f->s->ops->fire(f->s, RUN_BEGIN, args, &f->sink);
	}
	assert_int_equal(f->nrec, 1000);
	for (unsigned i = 0; i < 1000; i++) {
		assert_int_equal(f->rec[i].r.epid, 1 + i % 2);
		assert_int_equal(f->rec[i].value, i / 2);
	}
	fix_free(f);
}

static void full_ring_counts_what_it_lost(void **state)
{
	uint64_t drops = 0;
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_BEGIN);
	movi(c, 7, 7);
	for (int i = 0; i < 9; i++)
		emit_record(c, 1, 7, 600);
	leave(c, 0);
	start_ok(f, TINY);
	f->s->ops->fire(f->s, RUN_BEGIN, NULL, &f->sink);
	for (uint32_t i = 0; i < f->s->ncpu; i++)
		drops += percpu_of(f, i)->drops;
	assert_int_equal(f->nrec, 6);
	assert_int_equal(drops, 3);
	fix_free(f);
}

/* The sink's record() may fire ERROR, as the consumer's does for the record of a fault. */
static void error_fired_from_record(void **state)
{
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_BEGIN);
	movi(c, 7, 1);
	emit_record(c, 0, 7, sizeof(struct rec));
	emit_record(c, 1, 7, sizeof(struct rec));
	emit_record(c, 0, 7, sizeof(struct rec));
	leave(c, 0);
	c = add_unit(f, HOOK_RUN, RUN_ERROR);
	movi(c, 7, 2);
	emit_record(c, 9, 7, sizeof(struct rec));
	leave(c, 0);
	f->fire_error = true;
	start_ok(f, 0);
	f->s->ops->fire(f->s, RUN_BEGIN, NULL, &f->sink);
	assert_int_equal(f->nrec, 5);
	assert_int_equal(f->rec[0].r.epid, 0);
	assert_int_equal(f->rec[1].r.epid, 1);
	assert_int_equal(f->rec[2].r.epid, 0);
	assert_int_equal(f->rec[3].r.epid, 9);
	assert_int_equal(f->rec[4].r.epid, 9);
	fix_free(f);
}

static void ticks(void **state)
{
	const uint64_t period = 20000000;
	uint64_t begin, end;
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_TICK);
	call(c, BPF_FUNC_ktime_get_ns);
	mov(c, 7, 0);
	emit_record(c, 5, 7, sizeof(struct rec));
	leave(c, 0);
	f->unit[0].period_ns = period;
	f->done_at = 3;
	start_ok(f, 0);
	begin = f->s->ops->now(f->s);
	go_ok(f);
	for (int i = 0; i < 100 && !f->sink.done; i++)
		assert_int_equal(f->s->ops->wait(f->s, &f->sink, &f->d), 1);
	end = f->s->ops->now(f->s);
	assert_int_equal(f->nrec, 3);
	assert_true(f->rec[0].value >= begin + period);
	assert_true(f->rec[2].value >= begin + 3 * period);
	assert_true(end < begin + 60000000000ull);
	f->s->ops->stop(f->s, &f->sink);
	assert_int_equal(f->nrec, 3);
	fix_free(f);
	assert_none_left(tag);
}

/*
 * If wait() is late by many periods of a tick, the tick fires once for each period, up to a limit.
 * Ticks beyond the limit count as lost.
 */
static void late_ticks_catch_up(void **state)
{
	struct source_loss loss;
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_TICK);
	movi(c, 7, 0);
	emit_record(c, 5, 7, sizeof(struct rec));
	leave(c, 0);
	f->unit[0].period_ns = 200000;
	start_ok(f, 0);
	go_ok(f);
	usleep(300000);
	f->s->ops->wait(f->s, &f->sink, &f->d);
	assert_int_equal(f->nrec, 1000);
	f->s->ops->loss(f->s, &loss);
	assert_true(loss.ticks >= 400);
	assert_int_equal(loss.missed, 0);
	fix_free(f);
}

struct tracepoint {
	const char *name;
	uint32_t id;
};

static void note(void *ctx, const char *name, uint32_t id)
{
	struct tracepoint *t = ctx;

	if (!strcmp(name, t->name))
		t->id = id;
}

/* Finds the BTF id of the netif_receive_skb tracepoint and the offset of sk_buff.len. */
static bool receive_hook(uint32_t *id, int *len_off)
{
	struct tracepoint t = {.name = "btf_trace_netif_receive_skb"};
	struct arena a = {0};
	struct btf *b = btf_open("/sys/kernel/btf/vmlinux", &a);
	struct type *skb = b ? btf_find(b, TAG_STRUCT, "sk_buff") : NULL;
	struct member m;
	bool ok = skb && type_member(skb, "len", &m);

	if (ok) {
		btf_each_typedef(b, t.name, note, &t);
		*id = t.id;
		*len_off = m.bitoff / 8;
	}
	if (b)
		btf_close(b);
	arena_release(&a);
	return ok && t.id;
}

/* Ends the test, because the kernel has no BTF. */
static void skip_without_types(struct fix *f)
{
	print_message("SKIP: no type information of this kernel\n");
	fix_free(f);
	skip();
}

/* Fills in @a from the BTF of this kernel. */
static bool find_active_counter(struct active_counter *a)
{
	struct arena arena = {0};
	struct btf *b = btf_open("/sys/kernel/btf/vmlinux", &arena);
	struct {
		const char *of, *name;
		uint32_t *off;
	} members[] = {{"bpf_prog", "active", &a->active},
		       {"bpf_prog", "aux", &a->aux},
		       {"bpf_prog_aux", "id", &a->id},
		       {"bpf_array", "pptrs", &a->values}};
	bool ok = b != NULL;

	for (size_t i = 0; ok && i < sizeof(members) / sizeof(*members); i++) {
		struct type *t = btf_find(b, TAG_STRUCT, members[i].of);
		struct member m;

		ok = t && type_member(t, members[i].name, &m);
		*members[i].off = ok ? m.bitoff / 8 : 0;
	}
	a->progs = ok ? btf_find_func(b, "bpf_iter_bpf_prog") : 0;
	if (b)
		btf_close(b);
	arena_release(&arena);
	return a->progs;
}

/* Offsets in the MAP_PERCPU value of active_unit(). */
enum { ACTIVE = 1024, ACTIVE_SUM = 1032 };

/* Adds a unit that adds the kernel's counter of its own runs on the CPU to a sum. */
static bool active_unit(struct fix *f)
{
	struct code *c = add_unit(f, HOOK_RAWTP, 0);
	uint32_t null;
	int len_off;

	if (!receive_hook(&f->unit[0].attach_btf_id, &len_off) ||
	    !find_active_counter(&f->p.active))
		return false;
	f->unit[0].active_at = ACTIVE;
	gate(c, 0);
	count_percpu(c, offsetof(struct percpu, events));
	storei(c, BPF_DW, BPF_REG_10, -8, 0);
	map(c, 1, INSN_MAP, MAP_ID_PERCPU);
	mov(c, 2, 10);
	addi(c, 2, -8);
	call(c, BPF_FUNC_map_lookup_elem);
	null = jump_if_zero(c, 0);
	mov(c, 7, 0);
	mov(c, 1, 10);
	addi(c, 1, -8);
	movi(c, 2, sizeof(int));
	load(c, BPF_DW, 3, 7, ACTIVE);
	call(c, BPF_FUNC_probe_read_kernel);
	load(c, BPF_W, 1, 10, -8);
	load(c, BPF_DW, 2, 7, ACTIVE_SUM);
	put(c, BPF_ALU64 | BPF_ADD | BPF_X, 2, 1, 0, 0);
	store(c, BPF_DW, 7, ACTIVE_SUM, 2);
	here(c, null);
	leave(c, 0);
	return true;
}

static void active_counters_are_found(void **state)
{
	uint64_t events = 0, sum = 0, known = 0;
	struct fix *f;

	(void)state;
	NEED_BPF();
	f = fix_new();
	if (!active_unit(f))
		skip_without_types(f);
	start_ok(f, 0);
	go_ok(f);
	traffic(10, 777);
	f->s->ops->stop(f->s, &f->sink);
	for (uint32_t i = 0; i < f->s->ncpu; i++) {
		const uint64_t *v = (const uint64_t *)percpu_of(f, i);

		events += percpu_of(f, i)->events;
		sum += v[ACTIVE_SUM / 8];
		known += v[ACTIVE / 8] != 0;
	}
	assert_int_equal(known, f->s->ncpu);
	assert_true(events >= 10);
	assert_int_equal(sum, events);
	fix_free(f);
	assert_none_left(tag);
}

static bool receive_unit(struct fix *f)
{
	struct code *c = add_unit(f, HOOK_RAWTP, 0);
	int len_off;

	if (!receive_hook(&f->unit[f->p.nunit - 1].attach_btf_id, &len_off))
		return false;
	gate(c, 0);
	load(c, BPF_DW, 7, 6, 0);
	load(c, BPF_W, 7, 7, len_off);
	count_key(c, HASH, 7);
	leave(c, 0);
	return true;
}

static void rawtp_counts_packets(void **state)
{
	struct sum s, t = {0};
	struct fix *f;

	(void)state;
	NEED_BPF();
	f = fix_new();
	if (!receive_unit(f))
		skip_without_types(f);
	start_ok(f, 0);
	traffic(3, 777);
	assert_int_equal(sum_of(f, 805, false).keys, 0);
	go_ok(f);
	traffic(10, 777);
	f->s->ops->stop(f->s, &f->sink);
	traffic(3, 777);

	s = sum_of(f, 805, false);
	assert_int_equal(s.keys, 1);
	assert_int_equal(s.total, 10);
	t = (struct sum){.ncpu = f->s->ncpu, .want = 805};
	assert_int_equal(kmap_each_key((struct kernel *)f->s, HASH, add, &t), 0);
	assert_int_equal(t.total, 10);
	assert_int_equal(sum_of(f, 805, true).keys, 1);
	assert_int_equal(sum_of(f, 805, true).keys, 0);
	fix_free(f);
	assert_none_left(tag);
}

static void cgroup_egress_counts_and_passes(void **state)
{
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_CGROUP_SKB, 0);
	f->unit[0].target = "egress";
	gate(c, 1);
	load(c, BPF_W, 7, 6, offsetof(struct __sk_buff, len));
	count_key(c, HASH, 7);
	leave(c, 1);
	start_ok(f, 0);
	go_ok(f);
	traffic(10, 779);
	f->s->ops->stop(f->s, &f->sink);
	assert_int_equal(sum_of(f, 807, false).total, 10);
	fix_free(f);
}

static void profile_samples(void **state)
{
	uint64_t until, samples = 0;
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_PROFILE, 0);
	gate(c, 0);
	count_percpu(c, offsetof(struct percpu, events));
	leave(c, 0);
	f->unit[0].period_ns = 1000000;
	start_ok(f, 0);
	go_ok(f);
	until = f->s->ops->now(f->s) + 300000000;
	while (f->s->ops->now(f->s) < until)
		;
	f->s->ops->stop(f->s, &f->sink);
	for (uint32_t i = 0; i < f->s->ncpu; i++)
		samples += percpu_of(f, i)->events;
	/* This CPU was busy for 300 periods. An emulated machine takes fewer samples. */
	assert_true(samples > 20);
	fix_free(f);
	assert_none_left(tag);
}

static void many_keys(void **state)
{
	struct sum s;
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_BEGIN);
	load(c, BPF_DW, 7, 6, 0);
	count_key(c, HASH, 7);
	leave(c, 0);
	start_ok(f, 0);
	for (uint64_t i = 0; i < 6000; i++) {
		uint64_t args[10] = {i % 5000 + 1};

		f->s->ops->fire(f->s, RUN_BEGIN, args, &f->sink);
	}
	s = sum_of(f, 0, false);
	assert_int_equal(s.keys, 5000);
	assert_int_equal(s.total, 6000);
	s = (struct sum){.ncpu = f->s->ncpu};
	assert_int_equal(f->s->ops->map_each(f->s, HASH, odd, &s), 0);
	assert_int_equal(s.keys, 5000);
	assert_int_equal(sum_of(f, 0, false).keys, 2500);
	s = (struct sum){.ncpu = f->s->ncpu};
	assert_int_equal(kmap_each_key((struct kernel *)f->s, HASH, add, &s), 0);
	assert_int_equal(s.keys, 2500);
	assert_int_equal(s.total, 3000);
	fix_free(f);
}

/* An associative array has one value for each key, not one for each CPU. */
static void plain_hash(void **state)
{
	struct sum s = {.ncpu = 1};
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_BEGIN);
	load(c, BPF_DW, 7, 6, 0);
	count_key(c, PLAIN, 7);
	count_key(c, PLAIN, 7);
	leave(c, 0);
	start_ok(f, 0);
	for (uint64_t i = 1; i <= 100; i++) {
		uint64_t args[10] = {i};

		f->s->ops->fire(f->s, RUN_BEGIN, args, &f->sink);
	}
	assert_int_equal(f->s->ops->map_each(f->s, PLAIN, add, &s), 0);
	assert_int_equal(s.keys, 100);
	assert_int_equal(s.total, 200);
	fix_free(f);
}

static void globals_are_shared(void **state)
{
	struct timespec real, tai;
	struct globals *g;
	int64_t want;
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_BEGIN);
	map(c, 7, INSN_MAP_VALUE, MAP_ID_GLOBAL);
	c->v[c->n - 1].imm = 72; /* offset in the MAP_GLOBAL value */
	load(c, BPF_DW, 8, 7, 0);
	addi(c, 8, 1);
	store(c, BPF_DW, 7, 0, 8);
	leave(c, 0);
	start_ok(f, 0);
	g = f->s->ops->globals(f->s);
	((uint64_t *)g)[9] = 41;
	f->s->ops->fire(f->s, RUN_BEGIN, NULL, &f->sink);
	assert_int_equal(((uint64_t *)g)[9], 42);
	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_TAI, &tai);
	want = real.tv_sec - tai.tv_sec;
	assert_true(llabs((long long)(g->tai_offset / 1000000000 - want)) <= 1);
	assert_int_equal(g->gate, 0);
	fix_free(f);
}

static void refusal_is_one_line(void **state)
{
	char prefix[128];
	struct fix *f;
	struct code *c;
	int fds;

	(void)state;
	NEED_BPF();
	fds = open_fds();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_BEGIN);
	leave(c, 0);
	c = add_unit(f, HOOK_RUN, RUN_END);
	load(c, BPF_DW, 7, 6, 0);
	load(c, BPF_DW, 0, 7, 0); /* The argument is a number, so loading from it is refused. */
	leave(c, 0);
	assert_int_equal(start(f, 0), -1);
	assert_int_equal(f->d.nerr, 1);
	assert_int_equal(f->d.tag, D_VERIFY);
	snprintf(prefix, sizeof(prefix),
		 "failed to enable '%s': the kernel refused the program: R7 ", tag);
	assert_memory_equal(f->d.msg, prefix, strlen(prefix));
	assert_null(strchr(f->d.msg, '\n'));
	assert_int_equal(open_fds(), fds);
	assert_none_left(tag);

	/* kernel_verify() reports the same error. Without the bad unit it succeeds. */
	diag_release(&f->d);
	assert_int_equal(kernel_verify(&f->p, &f->d), -1);
	assert_memory_equal(f->d.msg, prefix, strlen(prefix));
	diag_release(&f->d);
	f->p.nunit = 1;
	assert_int_equal(kernel_verify(&f->p, &f->d), 0);
	assert_int_equal(open_fds(), fds);
	fix_free(f);
}

static void missing_kfunc(void **state)
{
	struct kfunc none = {.name = "bpf_no_such_thing"};
	struct fix *f;
	struct code *c;

	(void)state;
	NEED_BPF();
	f = fix_new();
	c = add_unit(f, HOOK_RUN, RUN_BEGIN);
	put(c, BPF_JMP | BPF_CALL, 0, INSN_KFUNC, 0, 0);
	leave(c, 0);
	f->p.kfunc = &none;
	f->p.nkfunc = 1;
	assert_int_equal(start(f, 0), -1);
	assert_non_null(strstr(f->d.msg, "'bpf_no_such_thing'"));
	fix_free(f);
}

static void failed_attach_undoes_the_rest(void **state)
{
	struct fix *f;
	struct code *c;
	int fds;

	(void)state;
	NEED_BPF();
	fds = open_fds();
	f = fix_new();
	c = add_unit(f, HOOK_CGROUP_SKB, 0);
	f->unit[0].target = "ingress";
	leave(c, 1);
	c = add_unit(f, HOOK_PROFILE, 0);
	f->unit[1].period_ns = 1ull << 63; /* a period that perf refuses */
	leave(c, 0);
	start_ok(f, 0);
	assert_int_equal(f->s->ops->go(f->s, &f->sink, &f->d), -1);
	assert_non_null(strstr(f->d.msg, "CPU clock"));
	assert_int_equal(f->s->ops->stop(f->s, &f->sink), 0);
	fix_free(f);
	assert_int_equal(open_fds(), fds);
	assert_none_left(tag);
}

static void killed_leaves_nothing(void **state)
{
	int fd[2], status;
	char go = 0;
	struct fix *f;
	pid_t pid;

	(void)state;
	NEED_BPF();
	f = fix_new();
	if (!receive_unit(f)) {
		fix_free(f);
		print_message("SKIP: no type information of this kernel\n");
		skip();
	}
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	if (!pid) {
		if (!start(f, 0) && !f->s->ops->go(f->s, &f->sink, &f->d))
			go = 1;
		if (write(fd[1], &go, 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(fd[0], &go, 1), 1);
	assert_int_equal(go, 1);
	assert_int_equal(programs(tag), 1);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	assert_none_left(tag);
	close(fd[0]);
	close(fd[1]);
	fix_free(f);
}

static void an_unprivileged_user_gets_a_message(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	NEED_BPF();
	pid = fork();
	if (!pid) {
		struct diag d = {0};
		bool ok;

		if (setuid(65534))
			_exit(2);
		ok = kernel_supported(&d);
		_exit(ok ||
		      strcmp(d.msg,
			     "failed to initialize dtrace: "
			     "DTrace requires additional privileges: "
			     "cap_bpf to load programs, cap_perfmon to trace what the kernel does, "
			     "cap_net_admin to see what sockets send and receive; "
			     "root has them, and reading a capture (-r) needs none"));
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

/* Frees the source in every state in which a caller may free it. */
static void free_at_any_stage(void **state)
{
	int fds = open_fds();
	struct source *s;
	struct fix *f;
	struct code *c;

	(void)state;
	s = kernel_source_new(NULL);
	s->ops->free(s);
	NEED_BPF();
	for (int stage = 0; stage < 3; stage++) {
		f = fix_new();
		c = add_unit(f, HOOK_CGROUP_SKB, 0);
		f->unit[0].target = "ingress";
		leave(c, 1);
		start_ok(f, 0);
		if (stage > 0)
			go_ok(f);
		if (stage > 1)
			f->s->ops->stop(f->s, &f->sink);
		fix_free(f);
		assert_int_equal(open_fds(), fds);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_begin_and_end),
		cmocka_unit_test(ring_wraps),
		cmocka_unit_test(full_ring_counts_what_it_lost),
		cmocka_unit_test(error_fired_from_record),
		cmocka_unit_test(ticks),
		cmocka_unit_test(late_ticks_catch_up),
		cmocka_unit_test(rawtp_counts_packets),
		cmocka_unit_test(active_counters_are_found),
		cmocka_unit_test(cgroup_egress_counts_and_passes),
		cmocka_unit_test(profile_samples),
		cmocka_unit_test(many_keys),
		cmocka_unit_test(plain_hash),
		cmocka_unit_test(globals_are_shared),
		cmocka_unit_test(refusal_is_one_line),
		cmocka_unit_test(missing_kfunc),
		cmocka_unit_test(failed_attach_undoes_the_rest),
		cmocka_unit_test(killed_leaves_nothing),
		cmocka_unit_test(an_unprivileged_user_gets_a_message),
		cmocka_unit_test(free_at_any_stage),
	};

	snprintf(tag, sizeof(tag), "T%d", (int)getpid());
	return cmocka_run_group_tests(tests, NULL, NULL);
}
