/* file.c - writes and parses aggregation files. file.h shows the format. */
#include "consumer/aggs/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "consumer/aggs/aggs.h"
#include "consumer/values/datum.h"
#include "consumer/loss.h"
#include "consumer/symbols/stack.h"

static const char magic[8] = {'D', 'T', 'R', 'A', 'G', 'G', '0', '4'};

uint64_t aggfile_checksum(const void *p, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (const unsigned char *c = p; n; n--)
		h = (h ^ *c++) * 0x100000001b3u;
	return h;
}

/* --------------------------------------------------------------------- writing */

static void put(struct strbuf *b, uint64_t v, size_t bytes)
{
	strbuf_add(b, &v, bytes);
}

static void put_text(struct strbuf *b, const char *s, size_t n)
{
	put(b, n, 4);
	strbuf_add(b, s, n);
}

static void put_str(struct strbuf *b, const char *s)
{
	put_text(b, s, strlen(s));
}

/*
 * The kinds of key fields; a file contains an index into this array. Stacks are stored as text. The
 * last two entries are special cases, for which file.c uses the names ADDRESS and LAYOUT.
 */
static const enum field_kind kinds[] = {FIELD_UINT,   FIELD_INT,     FIELD_STRING, FIELD_BYTES,
					FIELD_FRAMES, FIELD_UFRAMES, FIELD_UINT,   FIELD_STRING};

#define ADDRESS (NKINDS - 2) /* a number that is printed as an address */
#define LAYOUT (NKINDS - 1)  /* a string such as " -> " that only separates other fields */

#define ARRAY_MAX (1 << 16) /* maximum size of an array of characters that is a key */

#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Returns the kind that a field has in a file. Symbols and stacks become text. */
static enum field_kind kind_of(enum field_kind kind)
{
	switch (kind) {
	case FIELD_STACK:
		return FIELD_FRAMES;
	case FIELD_USTACK:
		return FIELD_UFRAMES;
	default:
		return kind >= FIELD_SYM && kind <= FIELD_UADDR ? FIELD_STRING : kind;
	}
}

static size_t index_of(enum field_kind kind)
{
	size_t i = 0;

	while (kinds[i] != kind_of(kind))
		i++;
	return i;
}

static void put_field(struct strbuf *b, const struct field *f)
{
	put(b, f->address ? ADDRESS : f->layout ? LAYOUT : index_of(f->kind), 1);
	put(b, datum_encoding(f->kind) == DATUM_SIZED ? f->array : f->size, 4);
	put_str(b, f->label ? f->label : "");
}

/* Appends the frames of a stack as lines of text, if @d is a stack of addresses. */
static void frames(struct strbuf *text, const struct datum *d)
{
	bool user = d->kind == FIELD_USTACK;
	size_t n = d->len / 8 - (user && d->len);

	if (!user && d->kind != FIELD_STACK)
		return;
	for (size_t i = 0; i < n; i++) {
		if (user)
			ustack_frame(text, d->s, i);
		else
			stack_frame(text, d->s, i);
		strbuf_addc(text, '\n');
	}
}

static void put_key(struct strbuf *b, const struct agg_info *ai, const uint8_t *key)
{
	struct datum d = {0};
	struct strbuf text = {0};

	for (uint32_t i = 0; i < ai->nkey; i++) {
		agg_key_part(ai, key, i, &d);
		switch (datum_encoding(ai->key[i].kind)) {
		case DATUM_NUMBER:
			put(b, d.num, 8);
			break;
		case DATUM_FIXED:
			strbuf_add(b, d.s, d.size);
			break;
		case DATUM_SIZED:
			strbuf_reset(&text);
			frames(&text, &d);
			if (text.len)
				put_text(b, text.s, text.len);
			else
				put_text(b, d.s,
					 kind_of(d.kind) == d.kind || d.kind >= FIELD_SYM ? d.len
											  : 0);
		}
	}
	strbuf_release(&text);
	datum_release(&d);
}

/*
 * Appends a value. A value that cannot be subtracted begins with a word that is its generation + 1.
 * The file has 1 in place of that word, because generations mean nothing to readers of the file.
 */
static void put_value(struct strbuf *b, const struct agg_info *ai, const uint64_t *val)
{
	size_t at = b->len;
	uint64_t one = 1;

	strbuf_add(b, val, ai->kind.value_size);
	if (!agg_fn_of(&ai->kind)->sub && val[0])
		memcpy(b->s + at, &one, sizeof(one));
}

/* Appends the description of an aggregation, which comes before its rows. */
static void put_form(struct strbuf *b, const struct agg_info *ai, int64_t normal, uint64_t nrow)
{
	put_str(b, ai->name);
	put_str(b, agg_fn_of(&ai->kind)->name);
	for (int i = 0; i < 4; i++)
		put(b, (uint64_t)ai->kind.param[i], 8);
	put(b, (uint64_t)normal, 8);
	put(b, ai->kind.value_size, 4);
	put(b, ai->nkey, 4);
	for (uint32_t i = 0; i < ai->nkey; i++)
		put_field(b, &ai->key[i]);
	put(b, nrow, 8);
}

/* Returns whether keys have the same bytes in the file as in memory. Keys with stacks differ. */
static bool keys_are_as_in_file(const struct agg_info *ai)
{
	for (uint32_t i = 0; i < ai->nkey; i++)
		if (ai->key[i].kind == FIELD_STACK || ai->key[i].kind == FIELD_USTACK)
			return false;
	return true;
}

/* Appends a row whose key and value have the same bytes in the file as in memory. */
static void copy_row(struct strbuf *b, const struct agg_row *row, const uint64_t *val,
		     uint32_t value_size)
{
	strbuf_reserve(b, (size_t)row->klen + value_size);
	memcpy(b->s + b->len, row->key, row->klen);
	memcpy(b->s + b->len + row->klen, val, value_size);
	b->len += row->klen + value_size;
}

static void put_agg(struct strbuf *b, const struct agg_state *st)
{
	const struct agg_info *ai = st->ai;
	bool as_in_file = keys_are_as_in_file(ai), whole = as_in_file && agg_fn_of(&ai->kind)->sub;
	uint32_t size = ai->kind.value_size;
	uint64_t *room;

	put_form(b, ai, st->normal, st->now.row.n);
	if (st->now.row.n) /* enough for all rows if their keys have one size */
		strbuf_reserve(b, st->now.row.n * ((size_t)st->now.row.v[0]->klen + size));
	room = xmalloc(size);
	for (size_t i = 0; i < st->now.row.n; i++) {
		const struct agg_row *row = st->now.row.v[i];
		const uint64_t *val = agg_row_value(row, room, size);

		if (whole) {
			copy_row(b, row, val, size);
			continue;
		}
		if (as_in_file)
			strbuf_add(b, row->key, row->klen);
		else
			put_key(b, ai, row->key);
		put_value(b, ai, val);
	}
	strbuf_add(b, "", 0); /* appends the NUL, which copy_row() leaves out */
	xfree(room);
}

struct losses {
	struct strbuf b;
	uint64_t n;
};

static void put_loss(void *ctx, const char *kind, uint64_t n)
{
	struct losses *l = ctx;

	if (!n)
		return;
	put_str(&l->b, kind);
	put(&l->b, n, 8);
	l->n++;
}

static void put_id(struct strbuf *out, const struct aggfile_id *id)
{
	strbuf_add(out, magic, sizeof(magic));
	put(out, id->program, 8);
	put_str(out, id->host);
	put(out, id->run, 8);
	put(out, id->epoch, 8);
	put(out, id->sequence, 8);
	put(out, id->time, 8);
	put(out, id->matched, 8);
}

void aggfile_write(struct strbuf *out, struct aggs *a, struct loss *l, const struct aggfile_id *id)
{
	struct losses lost = {0};
	size_t start = out->len;

	put_id(out, id);
	loss_totals(l, put_loss, &lost);
	put(out, lost.n, 4);
	strbuf_add(out, lost.b.s ? lost.b.s : "", lost.b.len);
	put(out, a->p->nagg, 4);
	for (uint32_t i = 0; i < a->p->nagg; i++) {
		aggs_snap(a, i);
		put_agg(out, &a->st[i]);
	}
	put(out, aggfile_checksum(out->s + start, out->len - start), 8);
	strbuf_release(&lost.b);
}

void aggfile_put(struct strbuf *out, const struct aggfile *f)
{
	size_t start = out->len;

	put_id(out, &f->id);
	put(out, f->nloss, 4);
	for (uint32_t i = 0; i < f->nloss; i++) {
		put_str(out, f->loss[i].kind);
		put(out, f->loss[i].count, 8);
	}
	put(out, f->nagg, 4);
	for (uint32_t i = 0; i < f->nagg; i++) {
		const struct aggfile_agg *a = &f->agg[i];

		put_form(out, &a->info, a->normal, a->nrow);
		for (size_t k = 0; k < a->nrow; k++) {
			strbuf_add(out, a->row[k].key, a->row[k].klen);
			strbuf_add(out, a->row[k].val, a->info.kind.value_size);
		}
	}
	put(out, aggfile_checksum(out->s + start, out->len - start), 8);
}

/* --------------------------------------------------------------------- reading */

/*
 * The bytes that have not been parsed yet. @bad is set when bytes are missing or wrong. From then
 * on, the functions that parse return 0, NULL or "".
 */
struct cursor {
	struct aggfile *f;
	const uint8_t *p, *end;
	bool bad;
};

static const uint8_t *take_bytes(struct cursor *r, size_t n)
{
	const uint8_t *p = r->p;

	if (r->bad || n > (size_t)(r->end - r->p)) {
		r->bad = true;
		return NULL;
	}
	r->p += n;
	return p;
}

static uint64_t get(struct cursor *r, size_t bytes)
{
	const uint8_t *p = take_bytes(r, bytes);
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, bytes);
	return v;
}

/*
 * Maximum number of kinds of losses in a file; dtrace has fewer than 30. The limit matters because
 * aggsum_add() searches a list of all kinds for each loss.
 */
#define LOSSES_MAX 64

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_`$"

static const char *get_str(struct cursor *r)
{
	size_t n = get(r, 4);
	const uint8_t *p = take_bytes(r, n);

	return p ? arena_strndup(&r->f->mem, (const char *)p, n) : "";
}

/*
 * Parses the name of an aggregation or key. The name must be an identifier, so it needs no escaping
 * when it is printed.
 */
static const char *get_name(struct cursor *r)
{
	const char *s = get_str(r);

	r->bad |= s[strspn(s, NAME_CHARACTERS)] != '\0';
	return s;
}

/* Parses a text that other people chose, and escapes it for printing. */
static const char *get_visible(struct cursor *r)
{
	struct strbuf b = {0};
	const char *s = get_str(r);

	visible_add(&b, s, strlen(s));
	s = arena_strndup(&r->f->mem, strbuf_text(&b), b.len);
	strbuf_release(&b);
	return s;
}

/*
 * Parses the number of the items that follow, which have at least @least bytes each. Fails if the
 * rest of the file is too short for that many items. This check limits the memory that is allocated
 * for the items.
 */
static size_t get_count(struct cursor *r, size_t bytes, size_t least)
{
	uint64_t n = get(r, bytes);

	if (n > (size_t)(r->end - r->p) / least)
		r->bad = true;
	return r->bad ? 0 : (size_t)n;
}

static void get_field(struct cursor *r, struct field *f)
{
	uint64_t kind = get(r, 1);

	*f = (struct field){.size = (uint32_t)get(r, 4)};
	f->label = get_name(r);
	if (!*f->label)
		f->label = NULL;
	if (kind >= NKINDS) {
		r->bad = true;
		return;
	}
	f->kind = kinds[kind];
	f->address = kind == ADDRESS;
	f->layout = kind == LAYOUT;
	switch (datum_encoding(f->kind)) {
	case DATUM_NUMBER:
		r->bad |= f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8;
		break;
	case DATUM_SIZED:
		r->bad |= f->size > ARRAY_MAX;
		f->array = f->size;
		f->size = f->array < 4 ? 8 : f->array + 4;
		break;
	case DATUM_FIXED:
		r->bad |= !f->size;
	}
}

static void get_part(struct cursor *r, struct field *f)
{
	bool sized = datum_encoding(f->kind) == DATUM_SIZED;
	uint64_t n = sized ? get(r, 4) : f->kind == FIELD_BYTES ? f->size : 8;

	if (take_bytes(r, n) && sized && n + 4 > f->size)
		f->size = (uint32_t)n + 4;
}

static void get_row(struct cursor *r, const struct agg_info *ai, struct aggfile_row *row)
{
	const uint8_t *val;

	row->key = r->p;
	for (uint32_t i = 0; i < ai->nkey; i++)
		get_part(r, &ai->key[i]);
	row->klen = (uint32_t)(r->p - row->key);
	val = take_bytes(r, ai->kind.value_size);
	row->val = val ? arena_memdup(&r->f->mem, val, ai->kind.value_size) : NULL;
}

/*
 * Returns whether the aggregating function of @ai accepts these parameters and has values of this
 * size.
 */
static bool is_possible(const struct agg_info *ai)
{
	const struct agg_fn_def *fn = agg_fn_of(&ai->kind);
	int64_t param[4];
	enum dtag tag;

	memcpy(param, ai->kind.param, sizeof(param));
	if (fn->check && fn->check(param, fn->nparam_max, &tag))
		return false;
	return !memcmp(param, ai->kind.param, sizeof(param)) &&
	       fn->size(ai->kind.param) == ai->kind.value_size;
}

static void get_agg(struct cursor *r, struct aggfile_agg *a)
{
	struct agg_info *ai = &a->info;
	const struct agg_fn_def *fn;

	ai->name = get_name(r);
	fn = agg_fn_find(get_str(r));
	for (int i = 0; i < 4; i++)
		ai->kind.param[i] = (int64_t)get(r, 8);
	a->normal = (int64_t)get(r, 8);
	ai->kind.value_size = (uint32_t)get(r, 4);
	r->bad |= !fn || !a->normal;
	if (r->bad)
		return;
	ai->kind.fn = fn->fn;
	r->bad |= !is_possible(ai);
	ai->nkey = (uint32_t)get_count(r, 4, 9);
	ai->key = arena_newn(&r->f->mem, struct field, ai->nkey + 1);
	for (uint32_t i = 0; i < ai->nkey; i++)
		get_field(r, &ai->key[i]);
	a->nrow = get_count(r, 8, ai->kind.value_size ? ai->kind.value_size : 1);
	a->row = arena_newn(&r->f->mem, struct aggfile_row, a->nrow + 1);
	for (size_t i = 0; i < a->nrow && !r->bad; i++)
		get_row(r, ai, &a->row[i]);
}

static void get_all(struct cursor *r)
{
	struct aggfile *f = r->f;

	f->id.program = get(r, 8);
	f->id.host = get_visible(r);
	f->id.run = get(r, 8);
	f->id.epoch = get(r, 8);
	f->id.sequence = get(r, 8);
	f->id.time = get(r, 8);
	f->id.matched = get(r, 8);
	f->nloss = (uint32_t)get_count(r, 4, 12);
	if (f->nloss > LOSSES_MAX) {
		r->bad = true;
		f->nloss = 0;
	}
	f->loss = arena_newn(&f->mem, struct aggfile_loss, f->nloss + 1);
	for (uint32_t i = 0; i < f->nloss; i++) {
		f->loss[i].kind = get_visible(r);
		f->loss[i].count = get(r, 8);
	}
	f->nagg = (uint32_t)get_count(r, 4, 60);
	f->agg = arena_newn(&f->mem, struct aggfile_agg, f->nagg + 1);
	for (uint32_t i = 0; i < f->nagg && !r->bad; i++)
		get_agg(r, &f->agg[i]);
	r->bad |= r->p != r->end;
}

/* Minimum size of a file: the magic number and the checksum. */
#define BEGINNING (sizeof(magic) + sizeof(uint64_t))

/* Returns whether @data begins with the magic number of any version. */
static bool begins_as_aggfile(const void *data)
{
	return !memcmp(data, magic, sizeof(magic) - 2);
}

struct aggfile *aggfile_parse(const char *name, const void *data, size_t size, struct diag *d)
{
	struct aggfile *f;
	struct cursor r;
	uint64_t sum;

	if (size < BEGINNING || !begins_as_aggfile(data)) {
		diag_error(d, D_SYS, NOLOC,
			   "%s is not an aggregation file; -x aggout=FILE writes one", name);
		return NULL;
	}
	if (memcmp(data, magic, sizeof(magic))) {
		diag_error(d, D_SYS, NOLOC,
			   "%s is an aggregation file of another version; this dtrace reads "
			   "version 04",
			   name);
		return NULL;
	}
	memcpy(&sum, (const char *)data + size - sizeof(sum), sizeof(sum));
	f = xcalloc(1, sizeof(*f));
	arena_init(&f->mem);
	f->path = arena_strdup(&f->mem, name);
	r = (struct cursor){f, (const uint8_t *)data + sizeof(magic),
			    (const uint8_t *)data + size - sizeof(sum),
			    sum != aggfile_checksum(data, size - sizeof(sum))};
	/* Keys point into this copy. */
	r.p = arena_memdup(&f->mem, r.p, (size_t)(r.end - r.p) + 1);
	r.end = r.p + (size - sizeof(magic) - sizeof(sum));
	if (!r.bad)
		get_all(&r);
	if (!r.bad)
		return f;
	diag_error(d, D_SYS, NOLOC, "%s is a damaged or incomplete aggregation file", name);
	aggfile_free(f);
	return NULL;
}

bool aggfile_read_fd(int fd, uint64_t most, struct strbuf *b, const char **why)
{
	char head[BEGINNING];
	struct stat st;
	size_t got = 0;
	ssize_t n;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (uint64_t)st.st_size > most) {
		*why = strerror(EFBIG);
		return false;
	}
	while (got < sizeof(head) && (n = read(fd, head + got, sizeof(head) - got)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			*why = strerror(errno);
			return false;
		}
		got += (size_t)n;
	}
	strbuf_add(b, head, got);
	if (got < sizeof(head) || !begins_as_aggfile(head))
		return true;
	return file_read_fd(fd, most - got, b, why);
}

/*
 * Reads the open file @fd and closes it. If the file could not be opened, @fd is -1 and @why is the
 * reason.
 */
static bool read_and_close(int fd, uint64_t most, const char *path, const char *why,
			   struct strbuf *b, struct diag *d)
{
	bool whole = fd >= 0 && aggfile_read_fd(fd, most, b, &why);
	char *name = visible_copy(path);

	if (!whole)
		diag_error(d, D_SYS, NOLOC, "failed to read %s: %s", name, why);
	xfree(name);
	if (fd >= 0)
		close(fd);
	return whole;
}

bool aggfile_read(const char *path, struct strbuf *b, struct diag *d)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *why = fd < 0 ? strerror(errno) : NULL;

	return read_and_close(fd, AGGFILE_MAX, path, why, b, d);
}

bool aggfile_read_foreign(const char *path, struct strbuf *b, struct diag *d)
{
	const char *why = NULL;
	int fd = file_open_listed(path, AGGFILE_FOREIGN_MAX, &why);

	return read_and_close(fd, AGGFILE_FOREIGN_MAX, path, why, b, d);
}

/* Skips hidden files, because file_replace() writes to a hidden file before renaming it. */
int aggfile_filter(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

void aggfile_free(struct aggfile *f)
{
	if (!f)
		return;
	arena_release(&f->mem);
	xfree(f);
}

/* ---------------------------------------------------------------------- agreeing */

static bool same_key(const struct agg_info *a, const struct agg_info *b)
{
	if (a->nkey != b->nkey)
		return false;
	for (uint32_t i = 0; i < a->nkey; i++)
		if (a->key[i].kind != b->key[i].kind ||
		    (datum_encoding(a->key[i].kind) != DATUM_SIZED &&
		     a->key[i].size != b->key[i].size))
			return false;
	return true;
}

static const char *difference(const struct agg_info *a, const struct agg_info *b)
{
	if (strcmp(a->name, b->name))
		return "is not in both";
	if (a->kind.fn != b->kind.fn)
		return "has different functions";
	if (memcmp(a->kind.param, b->kind.param, sizeof(a->kind.param)))
		return "has different parameters";
	return same_key(a, b) ? NULL : "has different keys";
}

bool aggfile_same_run(const struct aggfile *a, const struct aggfile *b)
{
	return a->id.run == b->id.run && a->id.epoch == b->id.epoch &&
	       !strcmp(a->id.host, b->id.host);
}

bool aggfile_agree(const struct aggfile *a, const struct aggfile *b, bool any_program,
		   struct diag *d)
{
	uint32_t n = a->nagg < b->nagg ? a->nagg : b->nagg;

	for (uint32_t i = 0; i < n; i++) {
		const char *what = difference(&a->agg[i].info, &b->agg[i].info);

		if (what)
			return diag_error(d, D_SYS, NOLOC,
					  "%s and %s come from different programs: @%s %s", a->path,
					  b->path, a->agg[i].info.name, what),
			       false;
	}
	if (a->nagg != b->nagg)
		return diag_error(d, D_SYS, NOLOC,
				  "%s and %s come from different programs: they have %u and %u "
				  "aggregations",
				  a->path, b->path, a->nagg, b->nagg),
		       false;
	if (a->id.program != b->id.program && !any_program)
		return diag_error(d, D_SYS, NOLOC,
				  "%s and %s come from different programs with the same "
				  "aggregations; -x anyprogram accepts them",
				  a->path, b->path),
		       false;
	return true;
}
