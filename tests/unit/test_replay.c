/*
 * test_replay.c - checks when the hooks of a replay fire, in which order, and which data they get.
 *
 * The programs are written by hand. Most of them append a line to a log in the MAP_GLOBAL value.
 * The line has the number of the unit (eBPF program), the time and the packet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "engine/source.h"
#include "engine/replay/ksim_c.h"
#include "engine/replay/local.h"
#include "engine/replay/source.h"
#include "engine/replay/tick.h"
#include "tests/check.h"

#define S 1000000000ull

/* ----------------------------------------------------------------- programs */

#define LOG_MAX 4096

struct line {
	uint64_t unit, time, len, captured, proto, first, type, ifindex;
};

struct log {
	struct globals g;
	uint64_t n;
	struct line line[LOG_MAX];
};

enum {
	MOV_K = 0xb7,
	MOV_X = 0xbf,
	ADD_K = 0x07,
	ADD_X = 0x0f,
	SUB_X = 0x1f,
	MUL_K = 0x27,
	LD64 = 0x18,
	LDX_B = 0x71,
	LDX_H = 0x69,
	LDX_W = 0x61,
	LDX_DW = 0x79,
	ST_W = 0x62,
	ST_DW = 0x7a,
	STX_DW = 0x7b,
	CALL = 0x85,
	EXIT = 0x95,
	JEQ_K = 0x15
};
enum { HELPER_KTIME = 5, HELPER_RESERVE = 131, HELPER_SUBMIT = 132 };

#define UNITS 8
#define INSNS 64

struct prog {
	struct program p;
	struct unit unit[UNITS];
	struct map_def map[3];
	struct insn insn[UNITS][INSNS];
};

static void emit(struct unit *u, uint8_t code, int dst, int src, int off, int imm)
{
	struct insn i = {.code = code, .off = (int16_t)off, .imm = imm};

	i.dst = (uint8_t)dst & 15;
	i.src = (uint8_t)src & 15;
	u->insn[u->ninsn++] = i;
	if (code == LD64)
		u->insn[u->ninsn++] = (struct insn){0};
}

#define AT(member) ((int)(offsetof(struct log, line) + offsetof(struct line, member)))
#define SKB(member) ((int)offsetof(struct sk_buff, member))

/* Emits code that copies a member of the skb in r6 to the line at r9. The code clobbers r2. */
static void emit_member(struct unit *u, uint8_t load, int from, int to)
{
	emit(u, load, 2, 6, from, 0);
	emit(u, STX_DW, 9, 2, to, 0);
}

static void emit_packet(struct unit *u)
{
	emit_member(u, LDX_W, SKB(len), AT(len));
	emit(u, LDX_W, 3, 6, SKB(data_len), 0);
	emit(u, SUB_X, 2, 3, 0, 0);
	emit(u, STX_DW, 9, 2, AT(captured), 0);
	emit_member(u, LDX_H, SKB(protocol), AT(proto));
	emit_member(u, LDX_B, SKB(mac_len) + 2, AT(type));
	emit(u, LDX_DW, 2, 6, SKB(data), 0);
	emit(u, LDX_B, 2, 2, 0, 0);
	emit(u, STX_DW, 9, 2, AT(first), 0);
	emit(u, LDX_DW, 2, 6, SKB(dev), 0);
	emit(u, LDX_W, 2, 2, (int)offsetof(struct net_device, ifindex), 0);
	emit(u, STX_DW, 9, 2, AT(ifindex), 0);
}

/* Emits code that appends a line to the log: unit @number, the time and, if @packet, the packet. */
static void emit_log(struct unit *u, int number, bool packet)
{
	emit(u, LDX_DW, 6, 1, 0, 0);
	emit(u, CALL, 0, 0, 0, HELPER_KTIME);
	emit(u, LD64, 7, INSN_MAP_VALUE, 0, MAP_ID_GLOBAL);
	emit(u, LDX_DW, 8, 7, offsetof(struct log, n), 0);
	emit(u, MOV_X, 9, 8, 0, 0);
	emit(u, MUL_K, 9, 0, 0, sizeof(struct line));
	emit(u, ADD_X, 9, 7, 0, 0);
	emit(u, ST_DW, 9, 0, AT(unit), number);
	emit(u, STX_DW, 9, 0, AT(time), 0);
	if (packet)
		emit_packet(u);
	emit(u, ADD_K, 8, 0, 0, 1);
	emit(u, STX_DW, 7, 8, offsetof(struct log, n), 0);
}

/* Emits code that writes a record without data. */
static void emit_record(struct unit *u)
{
	emit(u, LD64, 1, INSN_MAP, 0, MAP_ID_RING);
	emit(u, MOV_K, 2, 0, 0, sizeof(struct record));
	emit(u, MOV_K, 3, 0, 0, 0);
	emit(u, CALL, 0, 0, 0, HELPER_RESERVE);
	emit(u, JEQ_K, 0, 0, 5, 0);
	emit(u, ST_W, 0, 0, 0, 1);
	emit(u, ST_W, 0, 0, 4, 0);
	emit(u, MOV_X, 1, 0, 0, 0);
	emit(u, MOV_K, 2, 0, 0, 0);
	emit(u, CALL, 0, 0, 0, HELPER_SUBMIT);
}

static struct prog *prog_new(void)
{
	struct prog *p = calloc(1, sizeof(*p));

	p->map[MAP_ID_GLOBAL] = (struct map_def){.kind = MAP_GLOBAL,
						 .name = "globals",
						 .value_size = sizeof(struct log)};
	p->map[MAP_ID_PERCPU] = (struct map_def){.kind = MAP_PERCPU,
						 .name = "percpu",
						 .value_size = sizeof(struct percpu)};
	p->map[MAP_ID_RING] = (struct map_def){.kind = MAP_RING,
					       .name = "ring",
					       .max_entries = 1 << 16};
	p->p.map = p->map;
	p->p.nmap = 3;
	p->p.unit = p->unit;
	return p;
}

static struct unit *add_unit(struct prog *p, enum hook_kind hook, const char *target)
{
	struct unit *u = &p->unit[p->p.nunit];

	*u = (struct unit){.hook = hook, .target = target, .insn = p->insn[p->p.nunit]};
	emit_log(u, (int)p->p.nunit++, hook == HOOK_RAWTP || hook == HOOK_CGROUP_SKB);
	return u;
}

static void finish(struct unit *u)
{
	emit(u, MOV_K, 0, 0, 0, 1);
	emit(u, EXIT, 0, 0, 0, 0);
}

static void add_hook(struct prog *p, enum hook_kind hook, const char *target)
{
	finish(add_unit(p, hook, target));
}

static void add_run(struct prog *p, enum run_kind run, uint64_t period)
{
	struct unit *u = add_unit(p, HOOK_RUN, "run");

	u->run = run;
	u->period_ns = period;
	finish(u);
}

/* ----------------------------------------------------------------- captures */

static char dir[] = "/tmp/test_replay.XXXXXX";
static char path[64];
static FILE *file;

static void put32(uint32_t v)
{
	fwrite(&v, sizeof(v), 1, file);
}

static void begin_file(uint32_t linktype)
{
	snprintf(path, sizeof(path), "%s/cap.pcap", dir);
	file = fopen(path, "wb");
	assert_non_null(file);
	put32(0xa1b23c4d);
	put32(2 | 4 << 16);
	put32(0);
	put32(0);
	put32(65535);
	put32(linktype);
}

static void add_packet(uint64_t ts, const void *data, uint32_t caplen, uint32_t wirelen)
{
	put32((uint32_t)(ts / S));
	put32((uint32_t)(ts % S));
	put32(caplen);
	put32(wirelen);
	fwrite(data, caplen, 1, file);
}

static const unsigned char udp4[] = {
	0x45, 0, 0, 32, 0, 1, 0, 0, 64, 17, 0, 0, 10,  0,   0,   1,
	10,   0, 0, 2,  0, 7, 0, 9, 0,  12, 0, 0, 'd', 'a', 't', 'a',
};

/* Returns an Ethernet frame with the datagram udp4. */
static const unsigned char *frame(void)
{
	static unsigned char f[14 + sizeof(udp4)] = {[0] = 0xee, [12] = 8};

	memcpy(f + 14, udp4, sizeof(udp4));
	return f;
}

#define FRAME (14 + sizeof(udp4))

static void add_frame(uint64_t ts)
{
	add_packet(ts, frame(), FRAME, FRAME);
}

/* ------------------------------------------------------------------ running */

struct run {
	struct source *s;
	struct log *log;
	struct record_sink k;
	unsigned nrec, stop_at;
	struct diag d;
	int end; /* result of the last wait() */
	struct source_loss loss;
};

static void on_record(void *ctx, const struct record *rec, size_t size)
{
	struct run *r = ctx;

	(void)rec;
	(void)size;
	if (++r->nrec == r->stop_at)
		r->k.done = true;
}

static void run_file(struct run *r, struct prog *p, const char *local, unsigned stop_at)
{
	struct replay_opts o = {.path = path, .local = local, .mode = VM_CHECKED};

	*r = (struct run){.stop_at = stop_at};
	r->k = (struct record_sink){.record = on_record, .ctx = r};
	r->s = replay_source_new(&o);
	assert_int_equal(r->s->ops->start(r->s, &p->p, &r->d), 0);
	assert_int_equal(r->s->ncpu, 1);
	r->log = r->s->ops->globals(r->s);
	r->s->ops->fire(r->s, RUN_BEGIN, NULL, &r->k);
	assert_int_equal(r->s->ops->go(r->s, &r->k, &r->d), 0);
	assert_int_equal(r->log->g.gate, 1);
	do
		r->end = r->s->ops->wait(r->s, &r->k, &r->d);
	while (r->end == 1 && !r->k.done);
	r->s->ops->stop(r->s, &r->k);
	assert_int_equal(r->log->g.gate, 0);
	r->s->ops->fire(r->s, RUN_END, NULL, &r->k);
	r->s->ops->loss(r->s, &r->loss);
}

static void end_run(struct run *r, struct prog *p)
{
	r->s->ops->free(r->s);
	diag_release(&r->d);
	free(p);
}

/* Checks which units ran, and in which order: "021" means unit 0, then unit 2, then unit 1. */
static void expect_units(const struct run *r, const char *what)
{
	char got[LOG_MAX + 1];
	uint64_t i;

	for (i = 0; i < r->log->n; i++)
		got[i] = (char)('0' + r->log->line[i].unit);
	got[i] = 0;
	assert_string_equal(got, what);
}

static void expect_time(const struct run *r, unsigned i, uint64_t t)
{
	assert_int_equal(r->log->line[i].time, t);
}

/* -------------------------------------------------------------------- tests */

static struct prog *all_hooks(void)
{
	struct prog *p = prog_new();

	add_hook(p, HOOK_CGROUP_SKB, "ingress");
	add_hook(p, HOOK_RAWTP, "netif_receive_skb");
	add_hook(p, HOOK_RAWTP, "net_dev_queue");
	add_hook(p, HOOK_CGROUP_SKB, "egress");
	add_hook(p, HOOK_RAWTP, "netif_receive_skb");
	return p;
}

static void test_hooks(void **state)
{
	struct prog *p = all_hooks();
	const struct line *l;
	struct run r;

	(void)state;
	begin_file(1);
	add_packet(5 * S, frame(), FRAME - 4, FRAME + 100);
	fclose(file);
	run_file(&r, p, NULL, 0);
	assert_int_equal(r.end, 0);
	expect_units(&r, "32140");
	l = r.log->line;
	assert_int_equal(l[0].len, sizeof(udp4) + 100);
	assert_int_equal(l[0].captured, sizeof(udp4) - 4);
	assert_int_equal(l[0].first, 0x45);
	assert_int_equal(l[0].proto, 0x0008); /* network byte order */
	assert_int_equal(l[0].ifindex, 1);
	assert_int_equal(l[1].len, FRAME + 100);
	assert_int_equal(l[1].captured, FRAME - 4);
	assert_int_equal(l[1].first, 0xee);
	assert_int_equal(l[2].first, 0x45);
	assert_int_equal(l[2].len, sizeof(udp4) + 100);
	assert_int_equal(l[4].first, 0x45);
	expect_time(&r, 0, 5 * S);
	assert_int_equal(r.s->ops->now(r.s), 5 * S);
	end_run(&r, p);
}

/*
 * A frame that is not IP fires only the tracepoints. If the IP header is damaged, skb->protocol is
 * 0.
 */
static void test_no_ip(void **state)
{
	struct prog *p = all_hooks();
	unsigned char bad[FRAME];
	struct run r;

	(void)state;
	begin_file(1);
	memcpy(bad, frame(), FRAME);
	bad[14] = 0x65;
	add_packet(1 * S, bad, FRAME, FRAME);
	bad[12] = 8;
	bad[13] = 6;
	add_packet(2 * S, bad, FRAME, FRAME);
	fclose(file);
	run_file(&r, p, NULL, 0);
	expect_units(&r, "214214");
	assert_int_equal(r.log->line[0].proto, 0);
	assert_int_equal(r.log->line[3].proto, 0x0608);
	end_run(&r, p);
}

static void local_run(const char *spec, const char *units)
{
	struct prog *p = all_hooks();
	struct run r;

	run_file(&r, p, spec, 0);
	expect_units(&r, units);
	end_run(&r, p);
}

static void test_local_list(void **state)
{
	(void)state;
	begin_file(1);
	add_frame(1 * S);
	fclose(file);
	local_run("10.0.0.1", "32");
	local_run("10.0.0.2/32", "140");
	local_run("192.0.2.1,10.0.0.0/30", "32140");
	local_run("10.0.0.4/30", "");
	local_run("2001:db8::/32,::1", "");
	local_run("0.0.0.0/0", "32140");
}

static void test_local_auto(void **state)
{
	unsigned char cooked[16 + sizeof(udp4)] = {[14] = 8};
	struct prog *p = all_hooks();
	struct run r;
	int type;

	(void)state;
	memcpy(cooked + 16, udp4, sizeof(udp4));
	begin_file(113);
	for (type = 4; type >= 0; type--) {
		cooked[1] = (unsigned char)type;
		add_packet(1 * S, cooked, sizeof(cooked), sizeof(cooked));
	}
	fclose(file);
	run_file(&r, p, "auto", 0);
	expect_units(&r, "32"
			 "140"
			 "140"
			 "140"
			 "140");
	assert_int_equal(r.log->line[0].type & 7, 0);
	assert_int_equal(r.log->line[2].type & 7, 3);
	assert_int_equal(r.log->line[5].type & 7, 2);
	end_run(&r, p);
	/* Without a list every host is local, and the direction in the file is ignored. */
	p = all_hooks();
	run_file(&r, p, NULL, 0);
	assert_int_equal(r.log->n, 25);
	assert_int_equal(r.log->line[7].type & 7, 0);
	end_run(&r, p);
}

static void bad_local(const char *spec, const char *word)
{
	struct diag d = {0};
	struct local l;

	assert_int_equal(local_init(&l, spec, &d), -1);
	assert_non_null(strstr(d.msg, word));
	diag_release(&d);
}

static void test_bad_local(void **state)
{
	(void)state;
	bad_local("", "''");
	bad_local("here", "'here'");
	bad_local("10.0.0.1,", "''");
	bad_local("10.0.0.1,10.0.0.0/33", "'10.0.0.0/33'");
	bad_local("10.0.0.1/", "'10.0.0.1/'");
	bad_local("10.0.0.1/-1", "'10.0.0.1/-1'");
	bad_local("::1/129", "'::1/129'");
}

static void test_time(void **state)
{
	struct prog *p = prog_new();
	struct run r;

	(void)state;
	add_run(p, RUN_BEGIN, 0);
	add_hook(p, HOOK_RAWTP, "netif_receive_skb");
	add_run(p, RUN_TICK, 1 * S);
	add_run(p, RUN_TICK, 700000000);
	add_run(p, RUN_END, 0);
	begin_file(1);
	add_frame(100 * S);
	add_frame(102 * S);
	add_frame(101 * S); /* late */
	add_frame(102 * S + 1);
	fclose(file);
	run_file(&r, p, NULL, 0);
	expect_units(&r, "0"
			 "1"
			 "3232"
			 "1"
			 "1"
			 "1"
			 "4");
	expect_time(&r, 0, 100 * S);
	expect_time(&r, 1, 100 * S);
	expect_time(&r, 2, 100 * S + 700000000);
	expect_time(&r, 3, 101 * S);
	expect_time(&r, 4, 101 * S + 400000000);
	expect_time(&r, 5, 102 * S);
	expect_time(&r, 6, 102 * S);
	expect_time(&r, 7, 102 * S);
	expect_time(&r, 9, 102 * S + 1);
	assert_int_equal(r.loss.ticks, 0);
	end_run(&r, p);
}

static void test_gap(void **state)
{
	struct prog *p = prog_new();
	struct run r;

	(void)state;
	add_hook(p, HOOK_RAWTP, "netif_receive_skb");
	add_run(p, RUN_TICK, 1 * S);
	begin_file(1);
	add_frame(0);
	add_frame(2500 * S + 5);
	add_frame(2501 * S + 5);
	fclose(file);
	run_file(&r, p, NULL, 0);
	assert_int_equal(r.log->n, 1 + 1000 + 1 + 1 + 1);
	assert_int_equal(r.loss.ticks, 1500);
	expect_time(&r, 1000, 1000 * S);
	expect_time(&r, 1001, 2500 * S + 5);
	expect_time(&r, 1002, 2501 * S);
	end_run(&r, p);
}

/* After the sink was marked as done, as by the record of exit(), only END fires. */
static void test_done(void **state)
{
	struct prog *p = prog_new();
	struct unit *u;
	struct run r;
	int i;

	(void)state;
	u = add_unit(p, HOOK_RAWTP, "netif_receive_skb");
	emit_record(u);
	finish(u);
	add_hook(p, HOOK_RAWTP, "netif_receive_skb");
	add_run(p, RUN_END, 0);
	begin_file(1);
	for (i = 0; i < 5; i++)
		add_frame((uint64_t)i * S);
	fclose(file);
	run_file(&r, p, NULL, 3);
	expect_units(&r, "01010"
			 "2");
	expect_time(&r, 5, 2 * S);
	assert_int_equal(r.nrec, 3);
	end_run(&r, p);
}

static void test_damaged(void **state)
{
	struct prog *p = prog_new();
	char msg[256];
	struct run r;

	(void)state;
	add_run(p, RUN_BEGIN, 0);
	add_hook(p, HOOK_RAWTP, "netif_receive_skb");
	add_run(p, RUN_END, 0);
	begin_file(1);
	add_frame(1 * S);
	add_frame(2 * S);
	fwrite("cut", 3, 1, file);
	fclose(file);
	run_file(&r, p, NULL, 0);
	assert_int_equal(r.end, -1);
	snprintf(msg, sizeof(msg),
		 "%s: damaged after packet 2: the file ends in the middle of a "
		 "record",
		 path);
	assert_string_equal(r.d.msg, msg);
	assert_int_equal(r.d.tag, D_SYS);
	expect_units(&r, "0112");
	r.s->ops->free(r.s);
	diag_release(&r.d);

	begin_file(1);
	fwrite("cut", 3, 1, file);
	fclose(file);
	run_file(&r, p, NULL, 0);
	assert_int_equal(r.end, -1);
	expect_units(&r, "02");
	end_run(&r, p);
}

static void test_empty(void **state)
{
	struct prog *p = prog_new();
	struct run r;

	(void)state;
	add_run(p, RUN_BEGIN, 0);
	add_run(p, RUN_TICK, 1);
	add_run(p, RUN_END, 0);
	begin_file(1);
	fclose(file);
	run_file(&r, p, NULL, 0);
	assert_int_equal(r.end, 0);
	expect_units(&r, "02");
	expect_time(&r, 1, 0);
	end_run(&r, p);
}

static void test_unknown_link(void **state)
{
	struct prog *p = prog_new();
	char msg[256];
	struct run r;

	(void)state;
	add_hook(p, HOOK_RAWTP, "netif_receive_skb");
	begin_file(147);
	add_frame(1 * S);
	fclose(file);
	run_file(&r, p, NULL, 0);
	assert_int_equal(r.end, -1);
	snprintf(msg, sizeof(msg),
		 "%s: packet 1 has link type 147 (USER0), which replay does not "
		 "know",
		 path);
	assert_string_equal(r.d.msg, msg);
	end_run(&r, p);
}

static void start_fails(struct prog *p, const char *file_name, const char *msg)
{
	struct replay_opts o = {.path = file_name};
	struct source *s = replay_source_new(&o);
	struct diag d = {0};

	assert_int_equal(s->ops->start(s, &p->p, &d), -1);
	assert_string_equal(d.msg, msg);
	s->ops->free(s);
	diag_release(&d);
	free(p);
}

static void test_start_errors(void **state)
{
	struct prog *p = prog_new();

	(void)state;
	start_fails(p, "/nonexistent", "failed to open /nonexistent: No such file or directory");
	p = prog_new();
	add_hook(p, HOOK_RAWTP, "sched_switch");
	start_fails(p, path, "replay does not have the hook 'sched_switch'");
	assert_true(replay_has_hook(HOOK_RAWTP, "netif_receive_skb"));
	assert_true(replay_has_hook(HOOK_CGROUP_SKB, "egress"));
	assert_true(replay_has_hook(HOOK_RUN, "tick-1s"));
	assert_false(replay_has_hook(HOOK_RAWTP, "egress"));
}

static void test_tick_overflow(void **state)
{
	struct tick_queue q;
	uint32_t unit;
	uint64_t due;

	(void)state;
	tick_init(&q);
	tick_add(&q, 7, UINT64_MAX - 10, 5);
	tick_gap(&q);
	assert_int_equal(q.due, UINT64_MAX - 5);
	assert_true(tick_next(&q, UINT64_MAX - 1, &unit, &due));
	assert_int_equal(unit, 7);
	assert_false(tick_next(&q, UINT64_MAX - 1, &unit, &due));
	assert_int_equal(q.due, UINT64_MAX);
	assert_false(tick_next(&q, UINT64_MAX, &unit, &due));
	tick_release(&q);
}

/* The headers in ksim.h have the same layout as on the wire. */
static void test_ksim_layout(void **state)
{
	const struct iphdr *ip = (const void *)udp4;
	struct tcphdr t = {0};
	unsigned char *b = (unsigned char *)&t;

	(void)state;
	assert_int_equal(sizeof(struct iphdr), 20);
	assert_int_equal(sizeof(struct ipv6hdr), 40);
	assert_int_equal(sizeof(struct tcphdr), 20);
	assert_int_equal(sizeof(struct udphdr), 8);
	assert_int_equal(sizeof(struct ethhdr), 14);
	assert_int_equal(offsetof(struct ipv6hdr, daddr), 24);
	assert_int_equal(ip->version, 4);
	assert_int_equal(ip->ihl, 5);
	assert_int_equal(ip->protocol, 17);
	b[12] = 0x50;
	b[13] = 0x12;
	assert_int_equal(t.doff, 5);
	assert_true(t.syn && t.ack && !t.fin && !t.rst);
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

/* ---------------------------------------------------------------------- jobs */

#define JOB_PACKETS 3000

/* Adds a unit with the hook of @like that counts its runs on each CPU. */
static void add_counting(struct prog *p, struct unit like)
{
	struct unit *u = &p->unit[p->p.nunit];

	*u = like;
	u->insn = p->insn[p->p.nunit++];
	emit(u, LD64, 1, INSN_MAP_VALUE, 0, MAP_ID_PERCPU);
	emit(u, LDX_DW, 2, 1, offsetof(struct percpu, events), 0);
	emit(u, ADD_K, 2, 0, 0, 1);
	emit(u, STX_DW, 1, 2, offsetof(struct percpu, events), 0);
	finish(u);
}

static struct prog *counting(void)
{
	struct prog *p = prog_new();

	add_counting(p, (struct unit){.hook = HOOK_REPLAY, .target = "receive"});
	return p;
}

/*
 * Replays the file with @jobs processes. Each process counts as a CPU: checks that there are @ncpu
 * of them, and stores their counts in @count.
 */
static void run_jobs(struct prog *p, uint32_t jobs, uint32_t ncpu, uint64_t *count)
{
	struct replay_opts o = {.path = path, .jobs = jobs};
	struct source *s = replay_source_new(&o);
	const struct percpu *v;
	struct record_sink k = {0};
	struct diag d = {0};

	assert_int_equal(s->ops->start(s, &p->p, &d), 0);
	assert_int_equal(s->ops->go(s, &k, &d), 0);
	while (s->ops->wait(s, &k, &d) == 1)
		;
	assert_int_equal(s->ops->stop(s, &k), 0);
	assert_int_equal(s->ncpu, ncpu);
	v = s->ops->percpu(s);
	for (uint32_t i = 0; i < ncpu; i++)
		count[i] = v[i].events;
	s->ops->free(s);
	diag_release(&d);
}

/* Writes a capture in the order of time. If @odd is not 0, packet @odd has an earlier time. */
static void write_jobs_file(unsigned odd)
{
	begin_file(1);
	for (unsigned i = 0; i < JOB_PACKETS; i++)
		add_frame(1000 * S + (odd && i == odd ? 0 : i * (S / 100)));
	fclose(file);
}

static void test_jobs(void **state)
{
	struct prog *p = counting();
	uint64_t count[4];

	(void)state;
	write_jobs_file(0);
	run_jobs(p, 3, 4, count);
	assert_int_equal(count[0], 0);
	for (int i = 1; i < 4; i++)
		assert_in_range(count[i], JOB_PACKETS / 3 - 1, JOB_PACKETS / 3 + 1);
	assert_int_equal(count[1] + count[2] + count[3], JOB_PACKETS);
	run_jobs(p, 1, 1, count);
	assert_int_equal(count[0], JOB_PACKETS);
	free(p);
}

struct heard {
	struct source *s;
	unsigned n; /* number of records so far */
};

/*
 * Receives a record. Checks that the records of all processes come in the order of the packets,
 * each at the time of its packet.
 */
static void hear(void *ctx, const struct record *rec, size_t size)
{
	struct heard *h = ctx;

	assert_int_equal(rec->epid, 1);
	assert_int_equal(size, sizeof(*rec));
	assert_int_equal(h->s->ops->now(h->s), 1000 * S + h->n++ * (S / 100));
}

static void test_jobs_records(void **state)
{
	struct prog *p = prog_new();
	struct unit *u = &p->unit[p->p.nunit];
	struct clause_info clause = {.rec_size = sizeof(struct record)};
	struct probe_info probe = {.prov = "ip"};
	struct replay_opts o = {.path = path, .jobs = 3};
	struct heard h = {0};
	struct record_sink k = {.record = hear, .ctx = &h};
	struct diag d = {0};

	(void)state;
	*u = (struct unit){.hook = HOOK_REPLAY, .target = "receive", .insn = p->insn[p->p.nunit++]};
	emit_record(u);
	finish(u);
	p->p.clause = &clause;
	p->p.nclause = 1;
	p->p.probe = &probe;
	p->p.nprobe = 1;
	write_jobs_file(0);
	h.s = replay_source_new(&o);
	assert_int_equal(h.s->ops->start(h.s, &p->p, &d), 0);
	assert_int_equal(h.s->ncpu, 4);
	assert_int_equal(h.s->ops->go(h.s, &k, &d), 0);
	while (h.s->ops->wait(h.s, &k, &d) == 1)
		;
	assert_int_equal(h.s->ops->stop(h.s, &k), 0);
	assert_int_equal(h.n, JOB_PACKETS);
	h.s->ops->free(h.s);
	diag_release(&d);
	free(p);
}

/*
 * The process that replays the packets around a tick fires it. If the tick is between two chunks of
 * the file, the process that merges the results fires it.
 */
static void test_jobs_ticks(void **state)
{
	struct prog *p = counting();
	uint64_t one, count[4];

	(void)state;
	add_counting(p, (struct unit){.hook = HOOK_RUN, .run = RUN_TICK, .period_ns = S / 20});
	add_counting(p, (struct unit){.hook = HOOK_PROFILE, .period_ns = S / 1000});
	write_jobs_file(0);
	run_jobs(p, 1, 1, &one);
	assert_int_equal(one, JOB_PACKETS + (JOB_PACKETS - 1) / 5 + (JOB_PACKETS - 1) * 10);
	run_jobs(p, 3, 4, count);
	assert_int_equal(count[0] + count[1] + count[2] + count[3], one);
	assert_in_range(count[0], 20, 22);
	for (int i = 1; i < 4; i++)
		assert_in_range(count[i], one / 3 - 12, one / 3 + 12);
	p->unit[1].stateful = true;
	run_jobs(p, 3, 1, count);
	assert_int_equal(count[0], one);
	free(p);
}

/* Marks the sink as done, as the consumer does at exit(). */
static void leave(void *ctx, const struct record *rec, size_t size)
{
	(void)rec, (void)size;
	((struct record_sink *)ctx)->done = true;
}

/*
 * A tick with period @period calls exit(). The run must end at time @at, after @packets packets,
 * with any number of processes.
 */
static void exits_after(uint64_t period, uint64_t packets, uint64_t at)
{
	struct prog *p = counting();
	struct unit *u = &p->unit[p->p.nunit];
	struct action_info act = {.kind = ACT_EXIT};
	struct clause_info clause = {.rec_size = sizeof(struct record), .act = &act, .nact = 1};
	struct probe_info probe = {.prov = "profile"};
	struct replay_opts o = {.path = path, .jobs = 3};
	struct source *s = replay_source_new(&o);
	struct record_sink k = {.record = leave, .ctx = &k};
	struct diag d = {0};
	const struct percpu *v;
	uint64_t sum = 0;

	*u = (struct unit){.hook = HOOK_RUN,
			   .run = RUN_TICK,
			   .period_ns = period,
			   .insn = p->insn[p->p.nunit++]};
	emit_record(u);
	finish(u);
	p->p.clause = &clause;
	p->p.nclause = 1;
	p->p.probe = &probe;
	p->p.nprobe = 1;
	assert_int_equal(s->ops->start(s, &p->p, &d), 0);
	assert_int_equal(s->ncpu, 4);
	assert_int_equal(s->ops->go(s, &k, &d), 0);
	while (!k.done && s->ops->wait(s, &k, &d) == 1)
		;
	assert_true(k.done);
	assert_int_equal(s->ops->now(s), at);
	assert_int_equal(s->ops->stop(s, &k), 0);
	v = s->ops->percpu(s);
	for (uint32_t i = 0; i < s->ncpu; i++)
		sum += v[i].events;
	assert_int_equal(sum, packets);
	s->ops->free(s);
	diag_release(&d);
	free(p);
}

/*
 * Ends the run in the middle of a chunk (the part of one process), and at the packets around the
 * end of the first chunk.
 */
static void test_jobs_exit(void **state)
{
	(void)state;
	write_jobs_file(0);
	exits_after(S, 100, 1001 * S);
	exits_after(15 * S, 1500, 1015 * S);
	exits_after(29 * S + S / 1000, 2901, 1029 * S + S / 1000);
	for (uint64_t n = 995; n < 1005; n++)
		exits_after(n * (S / 100) + S / 1000, n + 1, 1000 * S + n * (S / 100) + S / 1000);
}

/* If time runs backwards at a packet, one process replays the packets from there on. */
static void test_jobs_rest(void **state)
{
	struct prog *p = counting();
	uint64_t count[4];

	(void)state;
	write_jobs_file(JOB_PACKETS / 2);
	run_jobs(p, 3, 4, count);
	assert_in_range(count[1], JOB_PACKETS / 3 - 1, JOB_PACKETS / 3 + 1);
	assert_int_equal(count[2] + count[3], 0);
	assert_int_equal(count[0] + count[1], JOB_PACKETS);
	free(p);
}

/*
 * One process replays the whole file if time runs backwards at the beginning, or if a unit depends
 * on state of earlier firings.
 */
static void test_jobs_void(void **state)
{
	struct prog *p = counting();
	uint64_t count[4];

	(void)state;
	write_jobs_file(2);
	run_jobs(p, 3, 1, count);
	assert_int_equal(count[0], JOB_PACKETS);
	write_jobs_file(0);
	p->unit[0].stateful = true;
	run_jobs(p, 3, 1, count);
	assert_int_equal(count[0], JOB_PACKETS);
	free(p);
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hooks),         cmocka_unit_test(test_no_ip),
		cmocka_unit_test(test_local_list),    cmocka_unit_test(test_local_auto),
		cmocka_unit_test(test_bad_local),     cmocka_unit_test(test_time),
		cmocka_unit_test(test_gap),           cmocka_unit_test(test_done),
		cmocka_unit_test(test_damaged),       cmocka_unit_test(test_empty),
		cmocka_unit_test(test_unknown_link),  cmocka_unit_test(test_start_errors),
		cmocka_unit_test(test_tick_overflow), cmocka_unit_test(test_ksim_layout),
		cmocka_unit_test(test_jobs),          cmocka_unit_test(test_jobs_records),
		cmocka_unit_test(test_jobs_ticks),    cmocka_unit_test(test_jobs_exit),
		cmocka_unit_test(test_jobs_rest),     cmocka_unit_test(test_jobs_void),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
