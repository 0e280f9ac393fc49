/*
 * btf.c - opens BTF (the kernel's type information), and makes types from it.
 *
 * Opening makes one pass over the types, which records where every eighth type starts and which
 * types have names. Types are created when they are needed.
 */
#include "ir/types/btf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "ir/types/btf_data.h"

#define BTF_MAGIC 0xeb9f
#define BTF_VERSION 1

struct header {
	uint16_t magic;
	uint8_t version;
	uint8_t flags;
	uint32_t hdr_len; /* length of the header; the offsets below count from its end */
	uint32_t type_off, type_len;
	uint32_t str_off, str_len;
};

static struct type making;

/* -------------------------------------------------------------- alignments */

/* Returns the largest power of two that divides @size, but at most @max. */
static uint32_t pow2_in(uint32_t size, uint32_t max)
{
	uint32_t low = size & -size;

	return low == 0 || low > max ? max : low;
}

static uint32_t align_of(const struct btf *b, uint32_t id, int depth, uint32_t *budget);

/*
 * Returns the alignment of a struct, which is the largest alignment of its members. The size of the
 * struct is a multiple of its alignment, so the search usually ends at the first pointer. Only
 * __int128 and attributes give alignments above 8; these are ignored.
 */
static uint32_t align_of_struct(const struct btf *b, const struct rec *r, int depth,
				uint32_t *budget)
{
	uint32_t i, a, best = 1, most = pow2_in(r->arg, 8);

	for (i = 0; i < r->vlen && best < most && *budget; i++) {
		a = align_of(b, get32(r->more + 12 * i + 4), depth, budget);
		if (a > best)
			best = a < most ? a : most;
	}
	return best;
}

static uint32_t align_of(const struct btf *b, uint32_t id, int depth, uint32_t *budget)
{
	struct rec r;

	if (*budget == 0 || depth == 0)
		return 1;
	--*budget;
	id = skip_kinds(b, id, QUALIFIERS | BIT(K_TYPEDEF));
	if (!get_rec(b, id, &r))
		return 1;
	switch (r.kind) {
	case K_INT:
	case K_FLOAT:
	case K_ENUM:
	case K_ENUM64:
		return r.arg ? pow2_in(r.arg, 16) : 1;
	case K_PTR:
		return sizeof(void *);
	case K_ARRAY:
		return align_of(b, get32(r.more), depth - 1, budget);
	case K_STRUCT:
	case K_UNION:
		return align_of_struct(b, &r, depth - 1, budget);
	case K_FWD:
	case K_TYPEDEF:
	case K_VOLATILE:
	case K_CONST:
	case K_RESTRICT:
	case K_FUNC:
	case K_FUNC_PROTO:
	case K_VAR:
	case K_DATASEC:
	case K_DECL_TAG:
	case K_TYPE_TAG:
	case K_MAX:
		break;
	}
	return 1;
}

/* ------------------------------------------------------------ making types */

/*
 * Returns the BTF ID that a program may use for type @id, or 0 if the type has no such ID. Only
 * types of the kernel itself have such an ID, not those of modules.
 */
static uint32_t known_id(const struct btf *b, uint32_t id)
{
	return b->base ? 0 : id;
}

static struct type *new_type(struct btf *b, enum type_kind kind, uint32_t id, const struct rec *r)
{
	struct type *t = arena_new(b->arena, struct type);

	t->kind = kind;
	t->name = get_name(b, r->name);
	t->btf_id = known_id(b, id);
	t->lazy_id = id;
	t->align = 1;
	return t;
}

/* Returns whether the size of an integer is one that code generation supports. */
static bool int_size_ok(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

static struct type *make_int(struct btf *b, uint32_t id, const struct rec *r)
{
	enum { SIGNED = 1, CHAR = 2 };
	uint32_t enc = get32(r->more) >> 24 & 15;
	struct type *t;

	if (!int_size_ok(r->arg))
		return &type_void;
	t = new_type(b, T_INT, id, r);
	t->size = t->align = r->arg;
	t->sgn = enc & SIGNED;
	/* Few compilers set CHAR for plain char. */
	t->is_char = t->size == 1 && ((enc & CHAR) || (t->name && strstr(t->name, "char")));
	return t;
}

static struct type *make_float(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = new_type(b, T_FLOAT, id, r);

	t->size = r->arg;
	t->align = r->arg ? pow2_in(r->arg, 16) : 1;
	return t;
}

static struct type *make_enum(struct btf *b, uint32_t id, const struct rec *r)
{
	const unsigned char *p = r->more;
	struct type *t;
	const char *name;
	uint32_t i;

	if (!int_size_ok(r->arg))
		return &type_void;
	t = new_type(b, T_ENUM, id, r);
	t->size = t->align = r->arg;
	t->sgn = r->flag;
	t->nenumerator = r->vlen;
	t->enumerator = arena_newn(b->arena, struct enumerator, r->vlen);
	for (i = 0; i < r->vlen; i++, p += layout[r->kind].each) {
		name = get_name(b, get32(p));
		t->enumerator[i].name = name ? name : "";
		t->enumerator[i].value = enum_value(r, p);
	}
	return t;
}

static struct type *make_sou(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = new_type(b, r->kind == K_STRUCT ? T_STRUCT : T_UNION, id, r);
	uint32_t budget = ALIGN_BUDGET;

	t->size = r->arg;
	t->align = align_of_struct(b, r, MAX_CHAIN, &budget);
	t->lazy = b;
	return t;
}

/*
 * Returns the complete struct or union of the same name if there is one, because the deduplication
 * of BTF leaves some forward declarations unresolved.
 */
static struct type *make_fwd(struct btf *b, uint32_t id, const struct rec *r)
{
	const char *name = get_name(b, r->name);
	uint32_t kind = BIT(r->flag ? K_UNION : K_STRUCT),
		 full = name ? btf_find_type(b, kind, name) : 0;

	if (name && !full && b->base)
		full = btf_find_type(b->base, kind, name);
	return full ? btf_type(b, full) : new_type(b, T_FWD, id, r);
}

static struct type *make_array(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = type_array(b->arena, btf_type(b, get32(r->more)), get32(r->more + 8));

	t->btf_id = known_id(b, id);
	return t;
}

static struct type *make_ptr(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = type_ptr(b->arena, btf_type(b, r->arg));

	if (!t->btf_id)
		t->btf_id = known_id(b, id);
	return t;
}

static struct type *make_typedef(struct btf *b, uint32_t id, const struct rec *r)
{
	const char *name = get_name(b, r->name);
	struct type *to = btf_type(b, r->arg), *t;

	t = type_typedef(b->arena, name ? name : "", to);
	t->btf_id = known_id(b, id);
	return t;
}

static struct type *make_func(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = new_type(b, T_FUNC, id, r);

	t->to = btf_type(b, r->arg);
	t->lazy = b;
	return t;
}

static struct type *make(struct btf *b, uint32_t id, const struct rec *r)
{
	switch (r->kind) {
	case K_INT:
		return make_int(b, id, r);
	case K_FLOAT:
		return make_float(b, id, r);
	case K_ENUM:
	case K_ENUM64:
		return make_enum(b, id, r);
	case K_STRUCT:
	case K_UNION:
		return make_sou(b, id, r);
	case K_FWD:
		return make_fwd(b, id, r);
	case K_ARRAY:
		return make_array(b, id, r);
	case K_PTR:
		return make_ptr(b, id, r);
	case K_TYPEDEF:
		return make_typedef(b, id, r);
	case K_FUNC_PROTO:
		return make_func(b, id, r);
	case K_VOLATILE:
	case K_CONST:
	case K_RESTRICT:
	case K_TYPE_TAG:
	case K_DECL_TAG:
	case K_FUNC:
	case K_VAR: /* the caller skips these kinds */
	case K_DATASEC:
	case K_MAX:
		break;
	}
	return &type_void;
}

static struct made_slot *find_made(const struct made *m, uint32_t id)
{
	uint32_t at = id * 0x9e3779b1u;

	for (at = at >> 16 ^ at; m->slot[at & (m->cap - 1)].id; at++)
		if (m->slot[at & (m->cap - 1)].id == id)
			break;
	return &m->slot[at & (m->cap - 1)];
}

static void set_made(struct made *m, uint32_t id, struct type *t)
{
	struct made old = *m;
	struct made_slot *s;

	if (m->n >= m->cap / 2) {
		m->cap = old.cap ? old.cap * 2 : 256;
		m->slot = xcalloc(m->cap, sizeof(*m->slot));
		for (uint32_t i = 0; i < old.cap; i++)
			if (old.slot[i].id)
				*find_made(m, old.slot[i].id) = old.slot[i];
		xfree(old.slot);
	}
	s = find_made(m, id);
	m->n += !s->id;
	*s = (struct made_slot){id, t};
}

/*
 * A pointer, array, typedef or function type is created together with the type that it refers to
 * (for a function, its return type). The types of members and parameters are created later. In C,
 * only a member or a parameter can lead back to the type itself. So a type that refers to itself
 * while it is being created, or that nests very deeply, is not from C, and becomes void.
 */
struct type *btf_type(struct btf *b, uint32_t id)
{
	struct type *t;
	struct rec r;

	id = skip_kinds(b, id, QUALIFIERS);
	if (!get_rec(b, id, &r))
		return &type_void;
	if (id < b->first)
		return btf_type(b->base, id);
	t = b->made.cap ? find_made(&b->made, id)->type : NULL;
	if (t)
		return t == &making ? &type_void : t;
	if (b->depth == MAX_DEPTH)
		return &type_void;
	set_made(&b->made, id, &making);
	b->depth++;
	t = make(b, id, &r);
	b->depth--;
	set_made(&b->made, id, t);
	return t;
}

/* ------------------------------------------------------- completing types */

/*
 * Sets the width and offset of a bit-field in BTF without kind_flag. In such BTF, the type of a
 * bit-field is an integer whose encoding has the width in bits 0-7 and the offset in bits 16-23.
 */
static void legacy_bits(const struct btf *b, uint32_t id, struct member *m)
{
	uint32_t bits, shift, v;
	struct rec r;

	id = skip_kinds(b, id, QUALIFIERS | BIT(K_TYPEDEF));
	if (!get_rec(b, id, &r) || r.kind != K_INT)
		return;
	v = get32(r.more);
	bits = v & 0xff;
	shift = v >> 16 & 0xff;
	if (bits == 0 || (bits == r.arg * 8 && shift == 0))
		return;
	m->bits = bits;
	m->bitoff += shift;
}

/*
 * Reads the members of a struct or union. A member is { name, type, offset in bits }. With
 * kind_flag, the top byte of the offset is the width of a bit-field.
 */
static void complete_sou(struct btf *b, struct type *t, const struct rec *r)
{
	const unsigned char *p = r->more;
	struct member *m = arena_newn(b->arena, struct member, r->vlen);
	uint32_t i;

	t->member = m;
	t->nmember = r->vlen;
	for (i = 0; i < r->vlen; i++, p += 12, m++) {
		m->name = get_name(b, get32(p));
		m->type = btf_type(b, get32(p + 4));
		m->bitoff = get32(p + 8);
		if (r->flag) {
			m->bits = m->bitoff >> 24;
			m->bitoff &= 0xffffff;
		} else {
			legacy_bits(b, get32(p + 4), m);
		}
	}
}

static void complete_func(struct btf *b, struct type *t, const struct rec *r)
{
	const unsigned char *p = r->more;
	uint32_t i, n = r->vlen;
	struct member *m;

	n -= has_dots(r);
	m = arena_newn(b->arena, struct member, n);
	t->member = m;
	t->nmember = n;
	for (i = 0; i < n; i++, p += 8, m++) {
		m->name = get_name(b, get32(p));
		m->type = btf_type(b, get32(p + 4));
	}
}

void btf_complete(struct btf *b, struct type *t)
{
	struct rec r;

	t->lazy = NULL;
	if (!get_rec(b, t->lazy_id, &r))
		return;
	if (r.kind == K_FUNC_PROTO)
		complete_func(b, t, &r);
	else if (r.kind == K_STRUCT || r.kind == K_UNION)
		complete_sou(b, t, &r);
}

/* -------------------------------------------------------- opening, closing */

/*
 * Records where the types are, and which types have names. This runs at every start, so it does no
 * more than necessary. The arrays are allocated for the maximum number of types; memory that is not
 * touched costs nothing. The code first tests whether a record has a fixed size. If so, the
 * processor need not wait for the load of the record's length.
 */
static bool index_types(struct btf *b)
{
	size_t left = (size_t)(b->types_end - b->types), len;
	struct named *named = xmalloc((left / REC + 1) * sizeof(*named));
	const unsigned char *p = b->types;
	uint32_t id, n = 0, from = b->base ? b->base->last : 0;
	enum kind k;

	b->types_by_name.v = named;
	b->off = xmalloc((left / REC / STEP + 1) * sizeof(*b->off));
	for (id = 1, b->first = from + 1; left >= REC; id++, p += len, left -= len) {
		k = rec_kind(p);
		len = REC;
		if (!(BIT(k) & BARE)) {
			len = rec_len(p);
			if (len == 0 || len > left)
				return false;
		}
		if (id % STEP == 0)
			b->off[id / STEP] = (uint32_t)(p - b->types);
		if (BIT(k) & TYPE_KINDS) {
			named[n] = (struct named){get32(p), from + id};
			n += named[n].name || (BIT(k) & ENUM_KINDS);
		} else if (k == K_FUNC) {
			if (!b->first_func)
				b->first_func = from + id;
			b->last_func = from + id;
		}
	}
	b->types_by_name.n = n;
	b->last = from + id - 1;
	return left == 0;
}

static bool section_ok(size_t size, const struct header *h, uint32_t off, uint32_t len)
{
	return (uint64_t)h->hdr_len + off + len <= size;
}

static bool find_sections(struct btf *b, const unsigned char *data, size_t size)
{
	struct header h;

	if (size < sizeof(h))
		return false;
	memcpy(&h, data, sizeof(h));
	if (h.magic != BTF_MAGIC || h.version != BTF_VERSION || h.hdr_len < sizeof(h) ||
	    !section_ok(size, &h, h.type_off, h.type_len) ||
	    !section_ok(size, &h, h.str_off, h.str_len))
		return false;
	b->types = data + h.hdr_len + h.type_off;
	b->types_end = b->types + h.type_len;
	b->strs = (const char *)data + h.hdr_len + h.str_off;
	b->str_len = h.str_len;
	return h.str_len > 0 && b->strs[h.str_len - 1] == '\0';
}

struct btf *btf_parse_on(struct btf *base, const void *data, size_t size, struct arena *a)
{
	struct btf *b = xcalloc(1, sizeof(*b));

	b->arena = a;
	b->base = base;
	b->str_first = base ? base->str_len : 0;
	if (!find_sections(b, data, size) || !index_types(b)) {
		btf_close(b);
		errno = EINVAL;
		return NULL;
	}
	return b;
}

struct btf *btf_parse(const void *data, size_t size, struct arena *a)
{
	return btf_parse_on(NULL, data, size, a);
}

/*
 * Reads the @size bytes of file @fd into anonymous memory, for kernels that cannot map their BTF.
 * MAP_POPULATE halves the cost.
 */
static void *read_blob(int fd, size_t size)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	size_t len = 0;
	ssize_t n;

	if (p == MAP_FAILED)
		return p;
	while (len < size) {
		n = read(fd, p + len, size - len);
		if (n > 0)
			len += (size_t)n;
		else if (n == 0 || errno != EINTR)
			break;
	}
	if (len == size)
		return p;
	munmap(p, size);
	return MAP_FAILED;
}

/*
 * Maps or reads the contents of @fd, and sets *@size to their size. The caller unmaps the result.
 * Returns NULL and sets errno on failure.
 */
static void *load(int fd, size_t *size)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) < 0)
		return NULL;
	errno = EINVAL;
	if (!S_ISREG(st.st_mode) || st.st_size <= 0)
		return NULL;
	*size = (size_t)st.st_size;
	p = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		p = read_blob(fd, *size);
	return p == MAP_FAILED ? NULL : p;
}

struct btf *btf_open_on(struct btf *base, const char *path, struct arena *a)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	struct btf *b = NULL;
	size_t size;
	void *blob;

	if (fd < 0)
		return NULL;
	blob = load(fd, &size);
	if (blob)
		b = btf_parse_on(base, blob, size, a);
	err = errno;
	close(fd);
	if (b) {
		b->blob = blob;
		b->blob_size = size;
		return b;
	}
	if (blob)
		munmap(blob, size);
	errno = err;
	return NULL;
}

struct btf *btf_open(const char *path, struct arena *a)
{
	return btf_open_on(NULL, path, a);
}

void btf_close(struct btf *b)
{
	if (!b)
		return;
	if (b->blob)
		munmap(b->blob, b->blob_size);
	xfree(b->off);
	xfree(b->made.slot);
	names_release(&b->types_by_name);
	names_release(&b->funcs);
	for (int i = 0; i < SOME_FUNCS; i++)
		names_release(&b->some[i].names);
	names_release(&b->enumerators);
	xfree(b);
}
