/*
 * jobs.c - starts processes (jobs) that each replay one chunk of a capture, and merges their
 * results.
 *
 * Each process is forked before the capture is opened. So each has its own file offset, virtual
 * machine and limits, and the objects that programs see have the same addresses in all processes.
 * Two pipes connect each process with its parent.
 *
 * The parent sends the MAP_GLOBAL value after BEGIN has run. It closes the pipe to stop the
 * process.
 *
 * The process sends a struct outcome, the MAP_PERCPU value, and the keys of each aggregation's map.
 * A key is sent as { 1, key, value packed by pack_words() }. After the last key comes a 0. Then the
 * process sends the records, each as { struct kept_record, record }, and at the end a mark. If the
 * mark is missing, the parent ignores everything that the process sent.
 */
#include "engine/replay/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "engine/vm/map.h"
#include "engine/replay/impl.h"

enum {
	JOBS_MAX = 64,
	WAIT_MS = 200,
	READ_SIZE = 1 << 20,
	PIPE_SIZE = 1 << 20,
	WRITE_SIZE = 1 << 16,
	SHARED_LINE = 128
};
/* minimum size of a chunk in bytes, unless -x jobs= asks for jobs */
#define CHUNK_MIN (16u << 20)
/* maximum size in bytes of the records that all processes together keep */
#define RECORDS_MAX (256u << 20)

/* The result of a process for its chunk of the capture. */
struct outcome {
	uint64_t start, end; /* offsets in the file of the start and end of the chunk */
	/* times of the first and the last packet, in ns; 0 if the chunk has no packets */
	uint64_t first, last;
	uint64_t packets;
	struct odd odd;
	/* the chunk does not depend on earlier packets and does not affect later packets */
	uint32_t independent;
	uint32_t cut; /* the parent stopped the process early */
};

static const char mark[8] = "allsent";

struct kept_record {
	uint64_t time;
	uint64_t size;
};

struct job {
	pid_t pid;
	int to, from; /* pipes to and from the process; -1 if closed */
	struct strbuf received;
	struct outcome out;
};

/* Progress of one process, in shared memory. The padding gives each process its own cache line. */
struct job_progress {
	uint64_t packets, bytes;
	char pad[SHARED_LINE - 2 * sizeof(uint64_t)];
};

struct jobs {
	uint32_t n;
	struct job v[JOBS_MAX];
	struct job_progress *progress;
	bool started, done;
	/* number of merged chunks, which are the first chunks of the file */
	uint32_t nmerged;
	uint64_t end, last; /* file offset and time at the end of the merged chunks */
	uint64_t packets;
	/* MAP_PERCPU values: first the value of r->vm, then the values of the n jobs */
	unsigned char *percpu;
	/*
	 * for each aggregation: a map from each key to the places of its n + 1 values
	 * (value_offsets())
	 */
	struct vm_map *map;
};

static size_t stride(const struct map_def *def)
{
	return (def->value_size + 7u) & ~(size_t)7;
}

/* ------------------------------------------------------------------- sparse values */

/*
 * Most buckets of a histogram are empty, so values are sent and kept in packed form: a u16 count n,
 * then n pairs { u16 index, u64 word } for the words that are not 0. If the pairs would not be
 * shorter than the value, the count is ALL_WORDS and all words follow.
 */
enum { ALL_WORDS = 0xffff, WORD_SIZE = sizeof(uint16_t) + sizeof(uint64_t) };

static uint16_t count_nonzero(const uint64_t *v, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < size / 8; i++)
		n += v[i] != 0;
	return n * WORD_SIZE < size ? (uint16_t)n : ALL_WORDS;
}

static void pack_words(struct strbuf *b, const uint64_t *v, size_t size)
{
	uint16_t n = count_nonzero(v, size);

	strbuf_add(b, &n, sizeof(n));
	if (n == ALL_WORDS)
		strbuf_add(b, v, size);
	for (uint16_t i = 0; n != ALL_WORDS && n; i++) {
		if (!v[i])
			continue;
		strbuf_add(b, &i, sizeof(i));
		strbuf_add(b, &v[i], sizeof(v[i]));
		n--;
	}
}

/*
 * Returns the size of the packed value at @p, where @most bytes are available, or 0 if the data is
 * invalid. The unpacked value has @size bytes.
 */
static size_t packed_size(const char *p, size_t most, size_t size)
{
	uint16_t n, index;
	size_t all;

	if (most < sizeof(n))
		return 0;
	memcpy(&n, p, sizeof(n));
	all = sizeof(n) + (n == ALL_WORDS ? size : n * (size_t)WORD_SIZE);
	if (all > most)
		return 0;
	for (size_t at = sizeof(n); n != ALL_WORDS && at < all; at += WORD_SIZE) {
		memcpy(&index, p + at, sizeof(index));
		if (index >= size / 8)
			return 0;
	}
	return all;
}

/* Unpacks a value to @to, which has @size zero bytes. */
static void unpack_words(const char *p, void *to, size_t size)
{
	uint16_t n, index;

	memcpy(&n, p, sizeof(n));
	p += sizeof(n);
	if (n == ALL_WORDS)
		memcpy(to, p, size);
	for (uint16_t i = 0; n != ALL_WORDS && i < n; i++, p += WORD_SIZE) {
		memcpy(&index, p, sizeof(index));
		memcpy((uint64_t *)to + index, p + sizeof(index), sizeof(uint64_t));
	}
}

/* -------------------------------------------------- whether jobs can share the work */

static bool unit_is_divisible(const struct unit *u)
{
	if (u->hook == HOOK_PROFILE || (u->hook == HOOK_RUN && u->run == RUN_TICK))
		return !u->stateful;
	return u->hook == HOOK_RUN || (!u->stateful && !unit_needs_connections(u));
}

/* Returns whether the clause has only actions that do not depend on earlier packets. */
static bool only_prints(const struct clause_info *c)
{
	for (uint32_t i = 0; i < c->nact; i++)
		switch (c->act[i].kind) {
		case ACT_DEFAULT:
		case ACT_TRACE:
		case ACT_STACK:
		case ACT_TRACEMEM:
		case ACT_PRINT:
		case ACT_PRINTF:
		case ACT_PCAP:
		case ACT_CAPTURE:
		case ACT_EXIT:
			break;
		case ACT_PRINTA:
		case ACT_CLEAR:
		case ACT_TRUNC:
		case ACT_NORMALIZE:
		case ACT_DENORMALIZE:
		case ACT_SETOPT:
		case ACT_SAMPLE:
		case ACT_SYSTEM:
		case ACT_FREOPEN:
		case ACT_FTRUNCATE:
		case ACT_SPECULATE:
		case ACT_COMMIT:
		case ACT_DISCARD:
			return false;
		}
	return !c->spec;
}

static bool is_of_packets(const struct program *p, const struct clause_info *c)
{
	return strcmp(p->probe[c->probe].prov, "dtrace") != 0;
}

static bool program_is_divisible(const struct program *p)
{
	bool of_packets = false;

	for (uint32_t i = 0; i < p->nunit; i++) {
		if (!unit_is_divisible(&p->unit[i]))
			return false;
		of_packets |= p->unit[i].hook != HOOK_RUN && p->unit[i].hook != HOOK_PROFILE;
	}
	for (uint32_t i = 0; i < p->nclause; i++)
		if (!only_prints(&p->clause[i]) && is_of_packets(p, &p->clause[i]))
			return false;
	return of_packets;
}

static uint32_t cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (uint32_t)CPU_COUNT(&set);
}

/*
 * Returns the number of jobs for the file. If the result is less than 2, the file is replayed
 * without jobs.
 */
static uint32_t how_many(const struct replay *r)
{
	uint32_t n = r->opts.jobs ? r->opts.jobs : cpus();
	struct stat st;

	if (n < 2 || r->opts.duration || stat(r->opts.path, &st) || !S_ISREG(st.st_mode) ||
	    !program_is_divisible(r->prog))
		return 0;
	if (!r->opts.jobs && (uint64_t)st.st_size / n < CHUNK_MIN)
		n = (uint32_t)((uint64_t)st.st_size / CHUNK_MIN);
	return n < JOBS_MAX ? n : JOBS_MAX;
}

/* ----------------------------------------------------------- in a job's process */

static bool is_told_to_stop(int go)
{
	struct pollfd p = {.fd = go};

	return poll(&p, 1, 0) > 0;
}

/*
 * Records of a chunk, which its process keeps until the end of the chunk. @over is set if the
 * records take more than @max bytes, or if a record is a fault. The chunk is then not merged.
 */
struct keep {
	struct strbuf b;
	struct record_sink k;
	const struct replay *r;
	size_t max;
	bool over;
};

/*
 * Returns whether the clause that wrote record @rec ran exit(). If so, this chunk ends here, and
 * the parent drops all later chunks.
 */
static bool is_exit(const struct program *p, const struct record *rec)
{
	const struct clause_info *c = &p->clause[rec->epid - 1];

	for (uint32_t i = 0; i < c->nact; i++)
		if (c->act[i].kind == ACT_EXIT &&
		    (!c->act[i].when || ((const char *)rec)[c->act[i].when]))
			return true;
	return false;
}

static void keep_record(void *ctx, const struct record *rec, size_t size)
{
	struct keep *keep = ctx;
	struct kept_record head = {keep->r->env->time_ns, size};

	keep->over |= !rec->epid || keep->b.len + sizeof(head) + size > keep->max;
	if (keep->over)
		return;
	strbuf_add(&keep->b, &head, sizeof(head));
	strbuf_add(&keep->b, rec, size);
	keep->k.done = is_exit(keep->r->prog, rec);
}

/*
 * Moves to the first packet record of the file at or after byte @from and reads its packet, as
 * start() does at the beginning of the file. Makes reading end before the first packet record at or
 * after byte @to. Stores the start of the chunk in @o. Returns false on failure.
 */
static bool find_chunk(struct replay *r, uint64_t from, uint64_t to, struct outcome *o)
{
	enum capture_result res;
	struct diag d = {0};

	capture_set_end(r->in.cap, to);
	if (!from)
		return true;
	o->packets = -capture_count(r->in.cap);
	clock_outlier_release(&r->in.outlier);
	r->in.outlier = (struct clock_outlier){0};
	r->env->time_ns = 0;
	if (!capture_seek(r->in.cap, from, &d))
		return false;
	o->start = capture_pos(r->in.cap);
	do {
		res = capture_next(r->in.cap, &r->now.pkt, &d);
	} while (res == CAPTURE_AGAIN);
	if (res == CAPTURE_PACKET) {
		clock_outlier_unread(&r->in.outlier, &r->now.pkt);
		r->env->time_ns = r->now.pkt.ts_ns;
	}
	return res != CAPTURE_BAD;
}

/*
 * Returns whether the chunk may depend on packets of another process. @dependencies is the result
 * of capture_dependencies() at the start of the chunk.
 */
static bool depends_on_others(const struct replay *r, uint32_t dependencies)
{
	return r->late_packets || r->in.outlier.outliers || r->ticks.skipped || r->frags ||
	       r->odd.of[0].rest || r->odd.of[1].rest || r->owner_seen || r->ambiguous_owners ||
	       r->tcp.tab.evicted || capture_dependencies(r->in.cap) != dependencies;
}

static void replay_chunk(struct replay *r, int go, struct job_progress *progress, struct keep *keep,
			 struct outcome *o)
{
	uint32_t dependencies = capture_dependencies(r->in.cap);
	uint64_t from = capture_pos(r->in.cap);
	struct diag d = {0};
	int res = 1;

	o->first = r->env->time_ns;
	tick_skip(&r->ticks, o->first); /* ticks before the chunk belong to other processes */
	keep->k = (struct record_sink){.record = keep_record, .ctx = keep};
	keep->r = r;
	while (res == 1 && !keep->over && !keep->k.done && !o->cut) {
		res = fire_batch(r, &keep->k, &d);
		progress->packets = capture_count(r->in.cap);
		progress->bytes = capture_pos(r->in.cap) - from;
		o->cut = res == 1 && is_told_to_stop(go);
	}
	o->last = r->env->time_ns;
	o->end = capture_pos(r->in.cap);
	o->packets += capture_count(r->in.cap);
	o->odd = r->odd;
	o->independent = res >= 0 && !keep->over && !depends_on_others(r, dependencies);
}

/* The data that a process sends. If the parent has closed the pipe, SIGPIPE ends the process. */
struct sending {
	int fd;
	struct strbuf b;
	const struct map_def *def; /* the map whose keys are sent now */
};

static void flush(struct sending *to)
{
	file_write(to->fd, to->b.s, to->b.len);
	strbuf_reset(&to->b);
}

static void flush_if_full(struct sending *to)
{
	if (to->b.len >= WRITE_SIZE)
		flush(to);
}

static void put(struct sending *to, const void *p, size_t n)
{
	strbuf_add(&to->b, p, n);
	flush_if_full(to);
}

static bool put_key(void *ctx, const void *key, const void *value)
{
	struct sending *to = ctx;

	strbuf_addc(&to->b, 1);
	strbuf_add(&to->b, key, to->def->key_size);
	pack_words(&to->b, value, stride(to->def));
	flush_if_full(to);
	return false;
}

static void put_outcome(struct replay *r, struct sending *to, const struct outcome *o)
{
	const struct program *p = r->prog;

	put(to, o, sizeof(*o));
	put(to, vm_percpu(r->vm), stride(&p->map[MAP_ID_PERCPU]));
	for (uint32_t i = 0; i < p->nmap; i++) {
		if (p->map[i].kind != MAP_PERCPU_HASH)
			continue;
		to->def = &p->map[i];
		vm_map_each(r->vm, i, put_key, to);
		put(to, "", 1);
	}
}

/* Makes the process end with its parent, and leaves the user's signals to the parent. */
static void detach_from_terminal(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
}

static void run_job(struct replay *r, struct jobs *j, uint32_t i, int go, int out)
{
	size_t size = r->prog->map[MAP_ID_GLOBAL].value_size;
	unsigned char *globals = xmalloc(size);
	struct keep keep = {.max = RECORDS_MAX / j->n};
	struct outcome o = {0};
	struct diag d = {0};
	struct sending to = {.fd = out};
	bool ready;

	r->opts.progress = NULL;
	ready = !replay_prepare(r, &d);
	if (ready) {
		uint64_t chunk = capture_size(r->in.cap) / j->n;

		replay_start_ticks(r);
		ready = find_chunk(r, chunk * i, i + 1 == j->n ? UINT64_MAX : chunk * (i + 1), &o);
	}
	if (!file_read_exact(go, globals, size))
		return;
	if (ready) {
		memcpy(vm_globals(r->vm), globals, size);
		((struct globals *)vm_globals(r->vm))->gate = GATE_OPEN;
		replay_chunk(r, go, &j->progress[i], &keep, &o);
		put_outcome(r, &to, &o);
		flush(&to);
		file_write(out, keep.b.s, keep.b.len);
		put(&to, mark, sizeof(mark));
	} else {
		put(&to, &o, sizeof(o));
	}
	flush(&to);
	/* The parent continues when the pipe is closed. The end of the process takes longer. */
	close(out);
}

/* -------------------------------------------------------------------- starting */

static void close_pipe(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_pipes(struct jobs *j)
{
	for (uint32_t i = 0; i < j->n; i++) {
		close_pipe(&j->v[i].to);
		close_pipe(&j->v[i].from);
	}
}

static bool start_one(struct jobs *j, struct replay *r, uint32_t i)
{
	int to[2], from[2];
	pid_t parent = getpid(), pid;

	if (pipe2(to, O_CLOEXEC))
		return false;
	if (pipe2(from, O_CLOEXEC)) {
		close(to[0]);
		close(to[1]);
		return false;
	}
	/*
	 * With a large pipe, the process can usually write its result without waiting. If the
	 * kernel refuses the size, the process waits, but the result is the same.
	 */
	fcntl(from[1], F_SETPIPE_SZ, PIPE_SIZE);
	pid = fork();
	if (!pid) {
		close_pipes(j);
		close(to[1]);
		close(from[0]);
		detach_from_terminal();
		if (getppid() == parent)
			run_job(r, j, i, to[0], from[1]);
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	j->v[i].pid = pid;
	j->v[i].to = to[1];
	j->v[i].from = from[0];
	return pid > 0;
}

static void make_maps(struct jobs *j, const struct program *p)
{
	j->percpu = xcalloc(j->n + 1, stride(&p->map[MAP_ID_PERCPU]));
	j->map = xcalloc(p->nmap, sizeof(*j->map));
	for (uint32_t i = 0; i < p->nmap; i++) {
		struct map_def def = p->map[i];

		if (def.kind != MAP_PERCPU_HASH)
			continue;
		def.kind = MAP_HASH;
		def.max_entries = 0;
		def.value_size = (uint32_t)sizeof(uint64_t) * (j->n + 1);
		def.sparse = false;
		vm_map_init(&j->map[i], &def);
	}
}

struct jobs *jobs_start(struct replay *r)
{
	uint32_t n = how_many(r);
	struct jobs *j;
	bool ok = true;

	if (n < 2)
		return NULL;
	j = xcalloc(1, sizeof(*j));
	j->n = n;
	for (uint32_t i = 0; i < n; i++)
		j->v[i].to = j->v[i].from = -1;
	j->progress = mmap(NULL, n * sizeof(*j->progress), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (j->progress == MAP_FAILED) {
		xfree(j);
		return NULL;
	}
	make_maps(j, r->prog);
	for (uint32_t i = 0; i < n && ok; i++)
		ok = start_one(j, r, i);
	if (ok)
		return j;
	jobs_free(j, r);
	return NULL;
}

uint32_t jobs_count(const struct jobs *j)
{
	return j->n;
}

void jobs_free(struct jobs *j, const struct replay *r)
{
	if (!j)
		return;
	close_pipes(j);
	/*
	 * Wait for processes that have sent everything, so that time(1) counts their CPU time. The
	 * others may run for long.
	 */
	for (uint32_t i = 0; i < j->nmerged; i++)
		waitpid(j->v[i].pid, NULL, 0);
	for (uint32_t i = 0; i < j->n; i++)
		strbuf_release(&j->v[i].received);
	for (uint32_t i = 0; i < r->prog->nmap; i++)
		if (r->prog->map[i].kind == MAP_PERCPU_HASH)
			vm_map_release(&j->map[i]);
	munmap(j->progress, j->n * sizeof(*j->progress));
	xfree(j->map);
	xfree(j->percpu);
	xfree(j);
}

/* --------------------------------------------------------------- received data */

/*
 * Copies the @n bytes at offset *@at of @b to @to, and advances *@at. Returns false if there are
 * fewer bytes.
 */
static bool take(const struct strbuf *b, size_t *at, void *to, size_t n)
{
	if (b->len - *at < n)
		return false;
	memcpy(to, b->s + *at, n);
	*at += n;
	return true;
}

/*
 * Returns an array that says where the values of @key are, or NULL if there is no room. Element 0
 * is 1 if r->vm has a value. Element i + 1 is 0 if process i has no value, else 1 + its offset in
 * the data of the process.
 */
static uint64_t *value_offsets(struct jobs *j, uint32_t map, const void *key)
{
	static const uint64_t none[JOBS_MAX + 1];
	struct vm_map *m = &j->map[map];
	void *v = vm_map_lookup(m, key);

	if (v || vm_map_update(m, key, none, 0))
		return v;
	return vm_map_lookup(m, key);
}

/*
 * Returns the MAP_PERCPU value number @cpu. Number 0 belongs to r->vm, and number 1 + i to job i.
 */
static struct percpu *losses_of(struct jobs *j, const struct program *p, uint32_t cpu)
{
	return (struct percpu *)(j->percpu + cpu * stride(&p->map[MAP_ID_PERCPU]));
}

static bool take_keys(struct jobs *j, const struct program *p, uint32_t map, uint32_t i, size_t *at)
{
	const struct strbuf *b = &j->v[i].received;
	size_t key = p->map[map].key_size, size = stride(&p->map[map]);
	unsigned char more;

	while (take(b, at, &more, 1)) {
		size_t left = b->len - *at, words;
		uint64_t *offset;

		if (!more)
			return true;
		words = left < key ? 0 : packed_size(b->s + *at + key, left - key, size);
		if (!words)
			return false;
		offset = value_offsets(j, map, b->s + *at);
		if (offset)
			offset[i + 1] = *at + key + 1;
		else
			losses_of(j, p, i + 1)->agg_drops++;
		*at += key + words;
	}
	return false;
}

static bool take_values(struct jobs *j, const struct program *p, uint32_t i, size_t *at)
{
	size_t size = stride(&p->map[MAP_ID_PERCPU]);

	if (!take(&j->v[i].received, at, j->percpu + (i + 1) * size, size))
		return false;
	for (uint32_t m = 0; m < p->nmap; m++)
		if (p->map[m].kind == MAP_PERCPU_HASH && !take_keys(j, p, m, i, at))
			return false;
	return true;
}

/*
 * Delivers the kept records of a process, from offset @at of @b on. Sets the time of the replay to
 * the time of each record.
 */
static void deliver(const struct strbuf *b, size_t at, struct replay *r, struct record_sink *k)
{
	struct kept_record head;
	struct strbuf rec = {0}; /* aligned copy of a record */

	while (!k->done && take(b, &at, &head, sizeof(head)) && b->len - at >= head.size) {
		rec.len = 0;
		strbuf_add(&rec, b->s + at, head.size);
		r->env->time_ns = head.time;
		k->record(k->ctx, (const struct record *)rec.s, head.size);
		at += head.size;
	}
	strbuf_release(&rec);
}

/*
 * Returns whether @b has all data of a process, and so ends with the mark. If so, removes the mark.
 */
static bool is_complete(struct strbuf *b)
{
	if (b->len < sizeof(mark) || memcmp(b->s + b->len - sizeof(mark), mark, sizeof(mark)))
		return false;
	b->len -= sizeof(mark);
	return true;
}

/*
 * Returns whether the chunk of @o can be merged next. It must depend on no other chunk, and begin
 * where the previous chunk ended in the file. Let t be the time of its first packet minus the time
 * at the end of the previous chunk; 0 <= t < CLOCK_JUMP_NS must hold; for the first chunk, t may be
 * larger.
 */
static bool follows(const struct jobs *j, const struct outcome *o)
{
	if (!o->independent || (j->nmerged && o->start != j->end))
		return false;
	return !o->first ||
	       (o->first >= j->last && (!j->nmerged || o->first - j->last < CLOCK_JUMP_NS));
}

/*
 * Frees the data after the first @n bytes. The first @n bytes have values that are still needed.
 * The other bytes are records, which were delivered.
 */
static void truncate_to(struct strbuf *b, size_t n)
{
	b->s = xrealloc(b->s, n + 1);
	b->len = n;
	b->cap = n + 1;
}

/*
 * Merges the next chunk, whose process has sent everything. Returns false if its data is
 * incomplete, or if merging would repeat, skip or change packets.
 */
static bool merge_next(struct jobs *j, struct replay *r, struct record_sink *k)
{
	struct job *v = &j->v[j->nmerged];
	struct outcome *o = &v->out;
	size_t at = 0;

	if (!is_complete(&v->received) || !take(&v->received, &at, o, sizeof(*o)) || !follows(j, o))
		return false;
	if (o->first && r->ticks.due <= o->first)
		fire_ticks(r, o->first, k);
	if (k->done)
		return true;
	if (!take_values(j, r->prog, j->nmerged, &at))
		return false;
	j->nmerged++;
	deliver(&v->received, at, r, k);
	truncate_to(&v->received, at);
	j->end = o->end;
	j->last = o->last > j->last ? o->last : j->last;
	j->packets += o->packets;
	odd_add(&r->odd, &o->odd);
	r->env->time_ns = j->last;
	tick_skip(&r->ticks, j->last); /* the process has fired these ticks */
	return true;
}

/*
 * Merges chunks in the order of the file, up to the first chunk that a process is still replaying.
 * Merges no chunk after a chunk whose process the parent stopped early. Returns false if the next
 * chunk cannot be merged.
 */
static bool merge_ready(struct jobs *j, struct replay *r, struct record_sink *k)
{
	while (!j->done && j->v[j->nmerged].from < 0) {
		if (!merge_next(j, r, k))
			return false;
		j->done = k->done || j->nmerged == j->n || j->v[j->nmerged - 1].out.cut;
	}
	return true;
}

/* ------------------------------------------------------------------- progress */

static void start_jobs(struct jobs *j, const struct replay *r)
{
	j->started = true;
	j->last = r->env->time_ns;
	/*
	 * A write to a process that has already ended fails. The error is ignored, because such a
	 * process sends no result.
	 */
	for (uint32_t i = 0; i < j->n; i++)
		file_write(j->v[i].to, vm_globals(r->vm), r->prog->map[MAP_ID_GLOBAL].value_size);
}

/*
 * Reads some of the data that process @v sent, or closes the pipe if the process has closed its
 * end.
 */
static void read_some(struct job *v)
{
	static char buf[READ_SIZE];
	ssize_t n = read(v->from, buf, sizeof(buf));

	if (n > 0)
		strbuf_add(&v->received, buf, (size_t)n);
	else if (!n || errno != EINTR)
		close_pipe(&v->from);
}

/*
 * Waits at most WAIT_MS for data, and reads from all pipes that have some. Returns false if all
 * processes have closed their pipes.
 */
static bool read_all_pipes(struct jobs *j)
{
	struct pollfd p[JOBS_MAX];
	bool open = false;
	int n;

	for (uint32_t i = 0; i < j->n; i++)
		p[i] = (struct pollfd){.fd = j->v[i].from, .events = POLLIN};
	n = poll(p, j->n, WAIT_MS);
	for (uint32_t i = 0; i < j->n; i++) {
		if (n > 0 && p[i].revents)
			read_some(&j->v[i]);
		open |= j->v[i].from >= 0;
	}
	return open;
}

/*
 * Stops the remaining processes and drops their data. Returns the state that tells the caller to
 * replay their packets.
 */
static enum jobs_state give_up(struct jobs *j)
{
	close_pipes(j);
	j->done = true;
	for (uint32_t i = j->nmerged; i < j->n; i++)
		strbuf_release(&j->v[i].received);
	return j->nmerged ? JOBS_REST : JOBS_NONE_DONE;
}

enum jobs_state jobs_wait(struct jobs *j, struct replay *r, struct record_sink *k)
{
	if (j->done)
		return JOBS_DONE;
	if (!j->started)
		start_jobs(j, r);
	read_all_pipes(j);
	if (!merge_ready(j, r, k))
		return give_up(j);
	return j->done ? JOBS_DONE : JOBS_RUNNING;
}

uint64_t jobs_rest_offset(const struct jobs *j, uint64_t *packets)
{
	*packets = j->packets;
	return j->end;
}

void jobs_stop(struct jobs *j, struct replay *r, struct record_sink *k)
{
	for (uint32_t i = 0; i < j->n; i++)
		close_pipe(&j->v[i].to);
	while (j->started && !j->done && read_all_pipes(j))
		;
	if (j->started && !j->done)
		merge_ready(j, r, k);
	close_pipes(j);
	j->done = true;
}

void jobs_progress(const struct jobs *j, uint64_t *packets, uint64_t *bytes)
{
	*packets = *bytes = 0;
	for (uint32_t i = 0; i < j->n; i++) {
		*packets += __atomic_load_n(&j->progress[i].packets, __ATOMIC_RELAXED);
		*bytes += __atomic_load_n(&j->progress[i].bytes, __ATOMIC_RELAXED);
	}
}

/* ---------------------------------------------------------------------- values */

struct visit {
	struct jobs *j;
	struct replay *r;
	uint32_t map;
	bool (*fn)(void *ctx, const void *key, const void *value);
	void *ctx;
	unsigned char *values; /* room for one value of each CPU */
};

static bool mark_own_key(void *ctx, const void *key, const void *value)
{
	const struct visit *v = ctx;
	uint64_t *offset = value_offsets(v->j, v->map, key);

	(void)value;
	if (offset)
		offset[0] = 1;
	return false;
}

/*
 * Calls v->fn for a key with its values one after another: first that of r->vm, then those of the
 * jobs. This is the form in which the kernel returns the values of its CPUs. Ignores values of a
 * chunk that could not be merged, and keys that only such a chunk has.
 */
static bool visit_key(void *ctx, const void *key, const void *value)
{
	const struct visit *v = ctx;
	const uint64_t *offset = value;
	size_t size = stride(&v->r->prog->map[v->map]);
	bool has_value = offset[0];

	memset(v->values, 0, size * (v->j->n + 1));
	if (offset[0])
		memcpy(v->values, vm_read_value(v->r->vm, v->map, key), size);
	for (uint32_t i = 1; i <= v->j->nmerged; i++) {
		if (!offset[i])
			continue;
		has_value = true;
		unpack_words(v->j->v[i - 1].received.s + offset[i] - 1, v->values + i * size, size);
	}
	if (!has_value || !v->fn(v->ctx, key, v->values))
		return false;
	vm_delete_key(v->r->vm, v->map, key);
	return true;
}

int jobs_map_each(struct jobs *j, struct replay *r, uint32_t map,
		  bool (*fn)(void *ctx, const void *key, const void *value), void *ctx)
{
	struct visit v = {j, r, map, fn, ctx, NULL};

	if (map >= r->prog->nmap || r->prog->map[map].kind != MAP_PERCPU_HASH)
		return vm_map_each(r->vm, map, fn, ctx);
	v.values = xcalloc(j->n + 1, stride(&r->prog->map[map]));
	vm_map_each(r->vm, map, mark_own_key, &v);
	vm_map_each_key(&j->map[map], visit_key, &v);
	xfree(v.values);
	return 0;
}

const void *jobs_percpu(struct jobs *j, struct replay *r)
{
	size_t size = stride(&r->prog->map[MAP_ID_PERCPU]);

	/* a chunk that could not be merged may have left a value */
	memset(j->percpu + (j->nmerged + 1) * size, 0, (j->n - j->nmerged) * size);
	memcpy(j->percpu, vm_percpu(r->vm), r->prog->map[MAP_ID_PERCPU].value_size);
	return j->percpu;
}
