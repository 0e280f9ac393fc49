/*
 * jumps.c - sets the distances of jumps.
 *
 * A jump has 16 bits for its distance, and the kernel makes code longer when it inlines lookups and
 * other calls. So jumps to distant blocks go over branch islands. These are groups of jumps that
 * are inserted every few thousand instructions. Each jump of an island leads to its block or to the
 * next group.
 *
 *	      goto over
 *	      goto block 17, or its jump in the next group
 *	      goto block 90, ...
 *	over: ...
 */
#include "base/diag.h"
#include "base/xalloc.h"
#include "ir/bpf/bpf.h"
#include "ir/bpf/insn.h"

#define REACH 8000 /* maximum distance of a jump without islands, in instructions */
#define SPACING (REACH / 2)

struct group {
	size_t at; /* index of the instruction that the group precedes */
	/*
	 * For block b, 1 + the index in @block of the group's jump to b; 0 if it has no such jump.
	 * NULL if the group is empty.
	 */
	int *island;
	VEC(int) block;
	size_t first; /* index in the new code of the first jump of the group */
};

struct jumps {
	struct bpf_code *c;
	VEC(struct group) group;
	size_t *new_index; /* new index of each old instruction */
	VEC(struct insn) out;
};

static bool out_of_reach(size_t from, size_t to)
{
	return (from < to ? to - from : from - to) > REACH;
}

static bool is_jump(const struct insn *in)
{
	unsigned op = in->code & ~(unsigned)0xf;

	return ((in->code & 7) == C_JMP || (in->code & 7) == C_JMP32) && op != J_CALL &&
	       op != J_EXIT;
}

/*
 * Marks the instructions before which nothing may be inserted: second halves of wide instructions,
 * and code skipped by a jump with a fixed distance.
 */
static bool *find_no_split(const struct bpf_code *c)
{
	bool *no_split = xcalloc(c->out.n + 1, sizeof(*no_split)),
	     *resolved = xcalloc(c->out.n + 1, sizeof(*resolved));

	for (size_t i = 0; i < c->jump.n; i++)
		resolved[c->jump.v[i].at] = true;
	for (size_t i = 0; i < c->out.n; i++) {
		const struct insn *in = &c->out.v[i];

		if (bpf_is_wide(in))
			no_split[i + 1] = true;
		if (!is_jump(in) || resolved[i])
			continue;
		for (size_t at = i + 1; at <= i + 1 + (size_t)in->off && at <= c->out.n; at++)
			no_split[at] = true;
	}
	xfree(resolved);
	return no_split;
}

static void choose_groups(struct jumps *j)
{
	bool *no_split;

	if (j->c->out.n <= SPACING)
		return;
	no_split = find_no_split(j->c);
	for (size_t at = SPACING; at < j->c->out.n; at += SPACING) {
		struct group g = {.at = at};

		while (no_split[g.at] && g.at < j->c->out.n)
			g.at++;
		if (g.at < j->c->out.n)
			vec_push(&j->group, g);
	}
	xfree(no_split);
}

/*
 * Returns the index of the group that is closest to @to, among the groups that a jump at @from can
 * reach.
 */
static size_t next_group(const struct jumps *j, size_t from, size_t to)
{
	size_t k;

	/* Group k stands before instruction (k + 1) * SPACING, or a few instructions later. */
	if (from > to)
		return (from - REACH + SPACING - 1) / SPACING - 1;
	k = (from + REACH - 1) / SPACING - 1;
	return k < j->group.n ? k : j->group.n - 1;
}

static void add_islands(struct jumps *j, size_t from, int block)
{
	size_t to = j->c->start[block];

	while (out_of_reach(from, to)) {
		struct group *g = &j->group.v[next_group(j, from, to)];

		if (!g->island)
			g->island = xcalloc(j->c->nblock, sizeof(*g->island));
		if (g->island[block])
			return;
		vec_push(&g->block, block);
		g->island[block] = (int)g->block.n;
		from = g->at;
	}
}

/* Returns whether execution continues from the instruction before @at to @at. */
static bool falls_through(const struct bpf_code *c, size_t at)
{
	unsigned code = c->out.v[at - 1].code;

	return code != (C_JMP | J_A) && code != (C_JMP | J_EXIT);
}

static void put_group(struct jumps *j, struct group *g)
{
	size_t n = g->block.n;

	if (!n)
		return;
	if (falls_through(j->c, g->at))
		vec_push(&j->out, bpf_insn(C_JMP | J_A, 0, 0, (int)n, 0));
	g->first = j->out.n;
	for (size_t i = 0; i < n; i++)
		vec_push(&j->out, bpf_insn(C_JMP | J_A, 0, 0, 0, 0));
}

static void copy_code(struct jumps *j)
{
	size_t next = 0;

	j->new_index = xcalloc(j->c->out.n + 1, sizeof(*j->new_index));
	for (size_t i = 0; i < j->c->out.n; i++) {
		if (next < j->group.n && j->group.v[next].at == i)
			put_group(j, &j->group.v[next++]);
		j->new_index[i] = j->out.n;
		vec_push(&j->out, j->c->out.v[i]);
	}
}

/*
 * Sets the distance of a jump to @block. The jump is at index @at of the new code, and was at index
 * @from of the old code. Returns -1 if the distance is out of range.
 */
static int resolve(struct jumps *j, size_t at, size_t from, int block)
{
	size_t to = j->c->start[block], target = j->new_index[to];
	int64_t off;

	if (out_of_reach(from, to)) {
		const struct group *g = &j->group.v[next_group(j, from, to)];

		target = g->first + (size_t)g->island[block] - 1;
	}
	off = (int64_t)target - (int64_t)at - 1;
	j->out.v[at].off = (int16_t)off;
	return off >= INT16_MIN && off <= INT16_MAX ? 0 : -1;
}

static int resolve_all(struct jumps *j)
{
	int err = 0;

	for (size_t i = 0; i < j->c->jump.n; i++) {
		const struct bpf_jump *f = &j->c->jump.v[i];

		err |= resolve(j, j->new_index[f->at], f->at, f->block);
	}
	for (size_t k = 0; k < j->group.n; k++)
		for (size_t i = 0; i < j->group.v[k].block.n; i++)
			err |= resolve(j, j->group.v[k].first + i, j->group.v[k].at,
				       j->group.v[k].block.v[i]);
	return err;
}

/* Replaces the code, and adjusts the indexes that refer to instructions. */
static void replace_code(struct jumps *j)
{
	for (size_t i = 0; i < j->c->pc.n; i++)
		j->c->pc.v[i] = j->new_index[j->c->pc.v[i]];
	for (size_t i = 0; i < j->c->call.n; i++)
		j->c->call.v[i].at = j->new_index[j->c->call.v[i].at];
	vec_free(&j->c->out);
	j->c->out.v = j->out.v;
	j->c->out.n = j->out.n;
	j->c->out.cap = j->out.cap;
}

int bpf_resolve_jumps(struct bpf_code *c, const char *name, struct diag *d)
{
	struct jumps j = {.c = c};
	size_t n = c->out.n;
	int err;

	choose_groups(&j);
	for (size_t i = 0; i < c->jump.n; i++)
		add_islands(&j, c->jump.v[i].at, c->jump.v[i].block);
	copy_code(&j);
	err = resolve_all(&j);
	replace_code(&j);
	for (size_t k = 0; k < j.group.n; k++) {
		xfree(j.group.v[k].island);
		vec_free(&j.group.v[k].block);
	}
	vec_free(&j.group);
	xfree(j.new_index);
	if (!err)
		return 0;
	return diag_error(d, D_LIMIT, NOLOC,
			  "the clauses of '%s' are too long: shorten them (%zu instructions)", name,
			  n);
}
