/*
 * test_btf.c - checks the BTF reader with blobs that the test makes, and with the BTF of the
 * running kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "tests/check.h"
#include "ir/types/btf.h"
#include "ir/types/type.h"

#define VMLINUX "/sys/kernel/btf/vmlinux"

/* Numbers of the kinds of types in the BTF format. */
enum {
	INT = 1,
	PTR,
	ARRAY,
	STRUCT,
	UNION,
	ENUM,
	FWD,
	TYPEDEF,
	VOLATILE,
	CONST,
	RESTRICT,
	FUNC,
	FUNC_PROTO,
	VAR,
	DATASEC,
	FLOAT,
	DECL_TAG,
	TYPE_TAG,
	ENUM64,
};

enum { FLAG = 32 }; /* is added to a kind to set kind_flag in the record */
enum { ENC_SIGNED = 1, ENC_CHAR = 2, ENC_BOOL = 4 };

/* ------------------------------------------------------------ making blobs */

static struct strbuf types, strs;
static uint32_t last_id;
static struct arena arena;
static void *blob;
static struct btf *btf;

static int setup(void **state)
{
	(void)state;
	strbuf_add(&strs, "", 1);
	last_id = 0;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	btf_close(btf);
	btf = NULL;
	free(blob);
	blob = NULL;
	strbuf_release(&types);
	strbuf_release(&strs);
	arena_release(&arena);
	return 0;
}

static uint32_t str(const char *s)
{
	uint32_t off = (uint32_t)strs.len;

	if (!*s)
		return 0;
	strbuf_add(&strs, s, strlen(s) + 1);
	return off;
}

static void put(uint32_t v)
{
	strbuf_add(&types, &v, sizeof(v));
}

/* Writes the head of a type record, and returns the id of the type. The caller writes the rest. */
static uint32_t rec(int kind, const char *name, uint32_t vlen, uint32_t arg)
{
	put(str(name));
	put((uint32_t)(kind & 31) << 24 | vlen | (kind & FLAG ? 1u << 31 : 0));
	put(arg);
	return ++last_id;
}

static uint32_t integer(const char *name, uint32_t size, uint32_t enc)
{
	uint32_t id = rec(INT, name, 0, size);

	put(enc << 24 | size * 8);
	return id;
}

static uint32_t array(uint32_t of, uint32_t n)
{
	uint32_t id = rec(ARRAY, "", 0, 0);

	put(of);
	put(of);
	put(n);
	return id;
}

static void field(const char *name, uint32_t type, uint32_t off)
{
	put(str(name));
	put(type);
	put(off);
}

static void bitfield(const char *name, uint32_t type, uint32_t off, uint32_t bits)
{
	field(name, type, bits << 24 | off);
}

static void param(const char *name, uint32_t type)
{
	put(str(name));
	put(type);
}

/*
 * Makes a blob of the records and names so far, without the names before offset @from: these belong
 * to another blob. The blob is in memory of exactly its size, so that a sanitizer sees reads past
 * the end. Returns the size.
 */
static size_t seal_from(size_t from)
{
	uint32_t h[] = {0x0001eb9f,
			24,
			0,
			(uint32_t)types.len,
			(uint32_t)types.len,
			(uint32_t)(strs.len - from)};
	size_t size = sizeof(h) + types.len + strs.len - from;
	char *p = malloc(size);

	assert_non_null(p);
	memcpy(p, h, sizeof(h));
	if (types.len)
		memcpy(p + sizeof(h), types.s, types.len);
	memcpy(p + sizeof(h) + types.len, strs.s + from, strs.len - from);
	free(blob);
	blob = p;
	return size;
}

static size_t seal(void)
{
	return seal_from(0);
}

static void load(void)
{
	size_t size = seal();

	btf = btf_parse(blob, size, &arena);
	assert_non_null(btf);
}

static void assert_name(struct type *t, const char *want)
{
	struct strbuf b = {0};

	type_name(t, &b);
	assert_string_equal(b.s, want);
	strbuf_release(&b);
}

/* -------------------------------------------------------------- good types */

static void integers(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED), c = integer("char", 1, 0);
	uint32_t u = integer("unsigned char", 1, 0), b = integer("_Bool", 1, ENC_BOOL);
	uint32_t x = integer("odd", 1, ENC_CHAR), f = rec(FLOAT, "double", 0, 8);

	(void)state;
	load();
	assert_true(type_same(btf_type(btf, i), &type_int));
	assert_int_equal(btf_type(btf, i)->align, 4);
	assert_int_equal(btf_type(btf, i)->btf_id, i);
	assert_true(btf_type(btf, c)->is_char);
	assert_false(btf_type(btf, c)->sgn);
	assert_true(type_same(btf_type(btf, c), &type_char));
	assert_true(btf_type(btf, u)->is_char);
	assert_false(btf_type(btf, b)->is_char);
	assert_true(type_same(btf_type(btf, b), &type_bool));
	assert_true(btf_type(btf, x)->is_char);
	assert_int_equal(btf_type(btf, f)->kind, T_FLOAT);
	assert_ptr_equal(btf_type(btf, 0), &type_void);
	assert_ptr_equal(btf_type(btf, 99), &type_void);
	assert_ptr_equal(btf_type(btf, i), btf_type(btf, i));
}

static void derived_types(void **state)
{
	uint32_t c = integer("char", 1, 0), con = rec(CONST, "", 0, c);
	uint32_t tag = rec(TYPE_TAG, "user", 0, con), p = rec(PTR, "", 0, tag);
	uint32_t vp = rec(PTR, "", 0, 0), td = rec(TYPEDEF, "pp_t", 0, p);
	uint32_t a = array(td, 3), vol = rec(VOLATILE, "", 0, a);
	uint32_t aa = array(rec(RESTRICT, "", 0, vol), 2);

	(void)state;
	load();
	assert_name(btf_type(btf, p), "char *");
	assert_name(btf_type(btf, vp), "void *");
	assert_name(btf_type(btf, td), "pp_t");
	assert_name(btf_type(btf, vol), "pp_t [3]");
	assert_ptr_equal(btf_type(btf, vol), btf_type(btf, a));
	assert_name(btf_type(btf, aa - 1), "pp_t [3]");
	assert_int_equal(btf_type(btf, a)->size, 24);
	assert_int_equal(btf_type(btf, a)->align, 8);
}

static void structs_are_lazy(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED), c = integer("char", 1, 0);
	uint32_t s = rec(STRUCT, "s", 3, 16), p, a;
	struct member *m, found;
	struct type *t;
	uint32_t n;

	(void)state;
	field("next", s + 1, 0);
	field("", s + 2, 64);
	field("tail", s + 4, 96);
	p = rec(PTR, "", 0, s);
	a = rec(UNION, "", 2, 4);
	field("num", i, 0);
	field("", a + 1, 0);
	rec(STRUCT, "", 2, 2);
	field("c0", c, 0);
	field("c1", c, 8);
	array(c, 0);
	load();

	t = btf_find(btf, TAG_STRUCT, "s");
	assert_non_null(t);
	assert_ptr_equal(t->lazy, btf);
	assert_int_equal(t->nmember, 0);
	assert_int_equal(t->size, 16);
	assert_int_equal(t->align, 8);
	assert_int_equal(t->btf_id, s);
	m = type_members(t, &n);
	assert_int_equal(n, 3);
	assert_null(t->lazy);
	assert_string_equal(m[0].name, "next");
	assert_ptr_equal(m[0].type, btf_type(btf, p));
	assert_ptr_equal(m[0].type->to, t);
	assert_null(m[1].name);
	assert_int_equal(m[1].type->kind, T_UNION);
	assert_int_equal(m[1].type->align, 4);
	assert_int_equal(m[2].type->nelem, 0);
	assert_true(type_member(t, "c1", &found));
	assert_int_equal(found.bitoff, 72);
	assert_name(m[1].type, "union <anon>");
	assert_null(btf_find(btf, TAG_UNION, "s"));
	assert_null(btf_find(btf, TAG_STRUCT, ""));
	assert_null(btf_find(btf, TAG_STRUCT, "c1"));
}

static void bitfields_with_kind_flag(void **state)
{
	uint32_t u = integer("unsigned int", 4, 0), td = rec(TYPEDEF, "u32", 0, u);
	uint32_t s = rec(STRUCT | FLAG, "s", 3, 8);
	struct member m;

	(void)state;
	bitfield("a", td, 0, 3);
	bitfield("b", u, 3, 7);
	bitfield("c", u, 32, 0);
	load();
	assert_true(type_member(btf_type(btf, s), "a", &m));
	assert_int_equal(m.bits, 3);
	assert_name(m.type, "u32");
	assert_true(type_member(btf_type(btf, s), "b", &m));
	assert_int_equal(m.bits, 7);
	assert_int_equal(m.bitoff, 3);
	assert_true(type_member(btf_type(btf, s), "c", &m));
	assert_int_equal(m.bits, 0);
	assert_int_equal(m.bitoff, 32);
}

static void bitfields_of_old(void **state)
{
	uint32_t u = integer("unsigned int", 4, 0), bits, shifted, td, s;
	struct member m;

	(void)state;
	bits = rec(INT, "unsigned int", 0, 4);
	put(3);
	shifted = rec(INT, "unsigned int", 0, 4);
	put(5 << 16 | 7);
	td = rec(TYPEDEF, "u32", 0, bits);
	s = rec(STRUCT, "s", 3, 8);
	field("a", td, 32);
	field("b", shifted, 32);
	field("c", u, 0);
	load();
	assert_true(type_member(btf_type(btf, s), "a", &m));
	assert_int_equal(m.bits, 3);
	assert_int_equal(m.bitoff, 32);
	assert_true(type_member(btf_type(btf, s), "b", &m));
	assert_int_equal(m.bits, 7);
	assert_int_equal(m.bitoff, 37);
	assert_true(type_member(btf_type(btf, s), "c", &m));
	assert_int_equal(m.bits, 0);
}

static void enums(void **state)
{
	uint32_t u, s, big;
	struct type *t;
	int64_t v;

	(void)state;
	u = rec(ENUM, "u", 2, 4);
	param("U_ONE", 1);
	param("U_MAX", 0xffffffff);
	s = rec(ENUM | FLAG, "", 1, 4);
	param("S_MINUS", 0xffffffff);
	big = rec(ENUM64, "big", 2, 8);
	field("B_LOW", 7, 0);
	field("B_HIGH", 1, 2);
	rec(ENUM, "later", 0, 4);
	load();
	assert_int_equal(btf_enumerator(btf, "U_MAX", &v, &t), 0);
	assert_int_equal(v, 0xffffffff);
	assert_ptr_equal(t, btf_type(btf, u));
	assert_int_equal(t->nenumerator, 2);
	assert_string_equal(t->enumerator[0].name, "U_ONE");
	assert_int_equal(btf_enumerator(btf, "S_MINUS", &v, &t), 0);
	assert_int_equal(v, -1);
	assert_true(btf_type(btf, s)->sgn);
	assert_int_equal(btf_enumerator(btf, "B_HIGH", &v, NULL), 0);
	assert_int_equal(v, 0x200000001);
	assert_int_equal(btf_type(btf, big)->size, 8);
	assert_int_not_equal(btf_enumerator(btf, "NONE", &v, &t), 0);
	assert_int_not_equal(btf_enumerator(btf, "", &v, &t), 0);
	assert_ptr_equal(btf_find(btf, TAG_ENUM, "big"), btf_type(btf, big));
	assert_null(btf_find(btf, TAG_ENUM, "later"));
}

static void functions(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED), proto, p, fn;
	struct member *m;
	uint32_t n;

	(void)state;
	proto = rec(FUNC_PROTO, "", 3, i);
	param("a", i);
	param("", 0);
	param("", 0); /* ... */
	p = rec(PTR, "", 0, proto);
	fn = rec(FUNC, "do_it", 1, proto);
	load();
	assert_name(btf_type(btf, p), "int (*)()");
	assert_ptr_equal(btf_type(btf, fn), btf_type(btf, proto));
	assert_int_equal(btf_type(btf, proto)->kind, T_FUNC);
	m = type_members(btf_type(btf, proto), &n);
	assert_int_equal(n, 2);
	assert_string_equal(m[0].name, "a");
	assert_ptr_equal(m[1].type, &type_void);
	assert_int_equal(btf_find_func(btf, "do_it"), fn);
	assert_int_equal(btf_find_func(btf, "do"), 0);
	assert_int_equal(btf_find_func(btf, ""), 0);
}

static void functions_need_not_be_sorted(void **state)
{
	static const char *const name[] = {"m", "z", "a", "q", "b", "y", "c", "x", "d", "k"};
	uint32_t id[10], proto, i;

	(void)state;
	proto = rec(FUNC_PROTO, "", 0, 0);
	for (i = 0; i < 10; i++) {
		id[i] = rec(FUNC, name[i], 1, proto);
		rec(FUNC_PROTO, "", 0, 0);
	}
	load();
	for (i = 0; i < 10; i++)
		assert_int_equal(btf_find_func(btf, name[i]), id[i]);
	assert_int_equal(btf_find_func(btf, "n"), 0);
}

/* Names of six beginnings: more than are hashed before all names are. */
static void functions_by_their_first_bytes(void **state)
{
	static const char *const name[] = {"zero_b", "zero_a", "four",  "bpf_x", "abc",  "icmp_",
					   "bpf",    "bpf_a",  "sixth", "fifth", "bpf_", "zero"};
	uint32_t id[12], proto, i;

	(void)state;
	proto = rec(FUNC_PROTO, "", 0, 0);
	for (i = 0; i < 12; i++)
		id[i] = rec(FUNC, name[i], 1, proto);
	load();
	for (i = 0; i < 12; i++)
		assert_int_equal(btf_find_func(btf, name[i]), id[i]);
	assert_int_equal(btf_find_func(btf, "bpf_b"), 0);
	assert_int_equal(btf_find_func(btf, "zeros"), 0);
}

static void forwards(void **state)
{
	uint32_t lone = rec(FWD, "lone", 0, 0), fwd = rec(FWD, "full", 0, 0);
	uint32_t wrong = rec(FWD | FLAG, "full", 0, 0), full = rec(STRUCT, "full", 0, 4);

	(void)state;
	load();
	assert_null(btf_find(btf, TAG_STRUCT, "lone"));
	assert_int_equal(btf_type(btf, lone)->kind, T_FWD);
	assert_name(btf_type(btf, lone), "struct lone");
	assert_ptr_equal(btf_type(btf, fwd), btf_type(btf, full));
	assert_int_equal(btf_type(btf, wrong)->kind, T_FWD);
}

static void same_name_for_several_kinds(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED), fn = rec(FUNC, "x", 0, 0);
	uint32_t td = rec(TYPEDEF, "x", 0, i), un = rec(UNION, "x", 0, 4);
	uint32_t st = rec(STRUCT, "x", 0, 8);

	(void)state;
	rec(STRUCT, "x", 0, 16);
	load();
	assert_ptr_equal(btf_find(btf, TAG_TYPEDEF, "x"), btf_type(btf, td));
	assert_ptr_equal(btf_find(btf, TAG_UNION, "x"), btf_type(btf, un));
	assert_ptr_equal(btf_find(btf, TAG_STRUCT, "x"), btf_type(btf, st));
	assert_null(btf_find(btf, TAG_ENUM, "x"));
	assert_int_equal(btf_find_func(btf, "x"), fn);
}

/*
 * Finds names of 1 to 32 bytes, because the hash reads names word by word. One name ends where the
 * string section ends.
 */
static void names_of_all_lengths(void **state)
{
	char name[40] = "";
	uint32_t i, id[32];

	(void)state;
	for (i = 0; i < 32; i++) {
		name[i] = 'x';
		id[i] = rec(STRUCT, name, 0, i);
	}
	load();
	memset(name, 0, sizeof(name));
	for (i = 0; i < 32; i++) {
		name[i] = 'x';
		assert_ptr_equal(btf_find(btf, TAG_STRUCT, name), btf_type(btf, id[i]));
	}
	name[5] = 'y';
	assert_null(btf_find(btf, TAG_STRUCT, name));
}

/*
 * The reader skips records of the kinds DATASEC, VAR and DECL_TAG, and still finds the ids and
 * offsets of the records after them.
 */
static void every_kind_is_skipped_right(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED), v = rec(VAR, "v", 0, i), tag, s, k;

	(void)state;
	put(1);
	rec(DATASEC, ".data", 2, 8);
	field("", v, 0);
	field("", v, 4);
	tag = rec(DECL_TAG, "bpf_kfunc", 0, i);
	put(0xffffffff);
	for (k = 0; k < 30; k++)
		rec(PTR, "", 0, i);
	s = rec(STRUCT, "s", 1, 4);
	field("a", i, 0);
	load();
	assert_int_equal(btf_find(btf, TAG_STRUCT, "s")->btf_id, s);
	assert_ptr_equal(btf_type(btf, v), btf_type(btf, i));
	assert_ptr_equal(btf_type(btf, tag), btf_type(btf, i));
	assert_ptr_equal(btf_type(btf, tag - 1), &type_void);
}

struct listing {
	uint32_t n, sum;
	char last[32];
};

static void list(void *ctx, const char *name, uint32_t id)
{
	struct listing *l = ctx;

	l->n++;
	l->sum += id;
	snprintf(l->last, sizeof(l->last), "%s", name);
}

static void typedefs_by_prefix(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED), a, b;
	struct listing l = {0};

	(void)state;
	a = rec(TYPEDEF, "btf_trace_a", 0, i);
	rec(STRUCT, "btf_trace_no", 0, 4);
	rec(TYPEDEF, "btf_trac", 0, i);
	b = rec(TYPEDEF, "btf_trace_b", 0, i);
	load();
	btf_each_typedef(btf, "btf_trace_", list, &l);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.sum, a + b);
	assert_string_equal(l.last, "btf_trace_b");
}

static void scopes_reach_btf_last(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED), td = rec(TYPEDEF, "mine_t", 0, i), s;
	struct type fwd = {.kind = T_FWD, .name = "s"}, own = {.kind = T_STRUCT, .name = "s"};
	struct scope in, out;
	int64_t v;

	(void)state;
	rec(TYPEDEF, "uint8_t", 0, i);
	s = rec(STRUCT, "s", 0, 4);
	rec(ENUM, "", 1, 4);
	param("K", 9);
	load();
	scope_init(&out, &arena, NULL, btf);
	scope_init(&in, &arena, &out, NULL);
	assert_ptr_equal(scope_find(&in, TAG_TYPEDEF, "mine_t"), btf_type(btf, td));
	assert_int_equal(scope_find(&in, TAG_TYPEDEF, "uint8_t")->size, 1);
	scope_add(&in, TAG_STRUCT, "s", &fwd);
	assert_ptr_equal(scope_find(&in, TAG_STRUCT, "s"), btf_type(btf, s));
	scope_add(&out, TAG_STRUCT, "s", &own);
	assert_ptr_equal(scope_find(&in, TAG_STRUCT, "s"), &own);
	assert_true(scope_enumerator(&in, "K", &v, NULL));
	assert_int_equal(v, 9);
}

/* ----------------------------------------------------------- damaged blobs */

static void assert_refused(const void *data, size_t size)
{
	errno = 0;
	assert_null(btf_parse(data, size, &arena));
	assert_int_equal(errno, EINVAL);
}

static void bad_headers(void **state)
{
	static const struct {
		size_t at;
		uint32_t value;
	} bad[] = {
		{0, 0x00019feb},                    /* wrong byte order */
		{0, 0x0002eb9f},                    /* version 2 */
		{4, 20},                            /* header too short */
		{4, 0xffffffff},                    /* beyond the end */
		{8, 0xffffff00},                    /* types beyond the end */
		{12, 0xffffffff}, {16, 0xfffffff0}, /* strings beyond the end */
		{20, 0},                            /* no strings */
		{20, 0xffffffff},
	};
	size_t size, i;
	uint32_t good;

	(void)state;
	integer("int", 4, ENC_SIGNED);
	size = seal();
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memcpy(&good, (char *)blob + bad[i].at, 4);
		memcpy((char *)blob + bad[i].at, &bad[i].value, 4);
		assert_refused(blob, size);
		memcpy((char *)blob + bad[i].at, &good, 4);
	}
	load();
}

static void strings_must_end(void **state)
{
	size_t size;

	(void)state;
	integer("int", 4, ENC_SIGNED);
	size = seal();
	((char *)blob)[size - 1] = 'x';
	assert_refused(blob, size);
}

static void every_truncation_is_refused(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED);
	size_t size, n;
	char *cut;

	(void)state;
	rec(STRUCT, "s", 1, 4);
	field("a", i, 0);
	size = seal();
	for (n = 0; n < size; n++) {
		cut = malloc(n ? n : 1);
		assert_non_null(cut);
		memcpy(cut, blob, n);
		assert_refused(cut, n);
		free(cut);
	}
}

static void unknown_kinds_are_refused(void **state)
{
	static const int kind[] = {0, 20, 31};
	size_t i, size;

	(void)state;
	for (i = 0; i < 3; i++) {
		strbuf_reset(&types);
		rec(kind[i], "x", 0, 0);
		size = seal();
		assert_refused(blob, size);
	}
}

static void cut_records_are_refused(void **state)
{
	size_t size;

	(void)state;
	rec(STRUCT, "s", 2, 4);
	field("a", 0, 0);
	size = seal();
	assert_refused(blob, size);
}

static void bad_name_offsets_are_no_names(void **state)
{
	uint32_t s, n;
	struct member *m;

	(void)state;
	put(0xfffffff0);
	put(STRUCT << 24 | 1);
	put(4);
	s = ++last_id;
	put(0x7fffffff);
	put(12345);
	put(0);
	load();
	m = type_members(btf_type(btf, s), &n);
	assert_null(btf_type(btf, s)->name);
	assert_null(m[0].name);
	assert_ptr_equal(m[0].type, &type_void);
	assert_null(btf_find(btf, TAG_STRUCT, "s"));
}

static void odd_integers_are_void(void **state)
{
	uint32_t i = integer("three", 3, 0), e = rec(ENUM, "e", 0, 5);

	(void)state;
	load();
	assert_ptr_equal(btf_type(btf, i), &type_void);
	assert_ptr_equal(btf_type(btf, e), &type_void);
}

static void cycles_end(void **state)
{
	uint32_t con = rec(CONST, "", 0, 1), td = rec(TYPEDEF, "t", 0, 3);
	uint32_t id;

	(void)state;
	rec(TYPEDEF, "u", 0, td);  /* type 3 */
	rec(PTR, "", 0, 4);        /* type 4: a pointer to itself */
	array(5, 2);               /* type 5: an array of itself */
	rec(FUNC_PROTO, "", 0, 7); /* type 6: a function that returns a pointer to its own type */
	rec(PTR, "", 0, 6);        /* type 7: the pointer to type 6 */
	rec(CONST, "", 0, 9);      /* types 8 and 9: const and volatile of each other */
	rec(VOLATILE, "", 0, 8);
	rec(TYPEDEF, "v", 0, 11); /* types 10 and 11: v is the name of const v */
	rec(CONST, "", 0, 10);
	load();
	assert_ptr_equal(btf_type(btf, con), &type_void);
	for (id = 1; id <= last_id; id++) {
		struct strbuf b = {0};

		type_strip(btf_type(btf, id));
		type_name(btf_type(btf, id), &b);
		strbuf_release(&b);
	}
}

static void long_chains_end(void **state)
{
	uint32_t i;
	struct type *t;

	(void)state;
	for (i = 1; i <= 200000; i++)
		rec(i % 2 ? PTR : TYPEDEF, "t", 0, i + 1);
	load();
	t = btf_type(btf, 1);
	assert_int_equal(t->kind, T_PTR);
}

/*
 * The reader does not loop on types that contain themselves: as a named member, as an anonymous
 * member, as 60 members, or behind the pointers of a function's parameters.
 */
static void recursive_structs_end(void **state)
{
	uint32_t s = rec(STRUCT, "s", 2, 8), i, n;
	struct member m;
	struct type *fn;

	(void)state;
	field("self", s, 0);
	field("", s, 0);
	rec(STRUCT, "wide", 60, 8);
	for (i = 0; i < 60; i++)
		field("", 2, 0);
	rec(FUNC_PROTO, "", 2, 0);
	param("f", 4);
	param("f", 4);
	rec(PTR, "", 0, 3);
	rec(FUNC_PROTO, "", 2, 0);
	param("f", 6);
	param("f", 6);
	rec(PTR, "", 0, 5);
	load();
	assert_true(type_member(btf_type(btf, s), "self", &m));
	assert_false(type_member(btf_type(btf, s), "none", &m));
	assert_false(type_member(btf_type(btf, 2), "none", &m));
	fn = btf_type(btf, 3);
	assert_non_null(type_members(fn, &n));
	type_same(fn, btf_type(btf, 5));
}

/*
 * Writes the types of a module: struct mine and two functions. The types use int of the kernel's
 * BTF (the base), which is type 1. The module only declares struct task, which the base defines.
 */
static void module_records(uint32_t name_of_base)
{
	uint32_t fwd = rec(FWD, "task", 0, 0), ptr = rec(PTR, "", 0, fwd),
		 mine = rec(STRUCT, "mine", 2, 16), proto;

	field("task", ptr, 0);
	field("n", 1, 64);
	ptr = rec(PTR, "", 0, mine);
	proto = rec(FUNC_PROTO, "", 1, 1);
	param("m", ptr);
	rec(FUNC, "work", 1, proto);
	put(name_of_base); /* This function has the same name as a struct member. */
	put(FUNC << 24);
	put(proto);
	last_id++;
}

/* The type ids and string offsets of a module continue where those of the kernel end. */
static void modules(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED), s = rec(STRUCT, "task", 1, 4),
		 pid = (uint32_t)strs.len, id;
	struct btf *base;
	void *base_blob;
	struct member *m;
	size_t from;
	uint32_t n;

	(void)state;
	field("pid", i, 0);
	load();
	base = btf;
	base_blob = blob;
	blob = NULL;
	from = strs.len;
	strbuf_release(&types);
	module_records(pid);
	n = (uint32_t)seal_from(from);
	btf = btf_parse_on(base, blob, n, &arena);
	assert_non_null(btf);
	assert_ptr_equal(btf_type(btf, s), btf_type(base, s));
	m = type_members(btf_find(btf, TAG_STRUCT, "mine"), &n);
	assert_int_equal(n, 2);
	assert_string_equal(m[0].name, "task");
	assert_ptr_equal(m[0].type->to, btf_type(base, s));
	assert_ptr_equal(m[1].type, btf_type(base, i));
	assert_int_equal(btf_find(btf, TAG_STRUCT, "mine")->btf_id, 0);
	assert_int_equal(btf_type(btf, s)->btf_id, s);
	id = btf_find_func(btf, "work");
	assert_true(id > s);
	assert_string_equal(type_members(btf_func_type(btf, id), &n)[0].name, "m");
	assert_int_not_equal(btf_find_func(btf, "pid"), 0);
	assert_int_equal(btf_find_func(base, "work"), 0);
	btf_close(btf);
	btf = base;
	free(base_blob);
}

static void functions_with_dots(void **state)
{
	uint32_t i = integer("int", 4, ENC_SIGNED), plain = rec(FUNC_PROTO, "", 1, i), dots, f, g;

	(void)state;
	param("a", i);
	dots = rec(FUNC_PROTO, "", 2, i);
	param("a", i);
	param("", 0);
	f = rec(FUNC, "plain", 1, plain);
	g = rec(FUNC, "dots", 1, dots);
	load();
	assert_false(btf_func_has_dots(btf, f));
	assert_true(btf_func_has_dots(btf, g));
	assert_false(btf_func_has_dots(btf, i));
	assert_false(btf_func_has_dots(btf, 99));
}

static void files_that_are_not_there(void **state)
{
	(void)state;
	assert_null(btf_open("/nonexistent/btf", &arena));
	assert_int_equal(errno, ENOENT);
	assert_null(btf_open("/dev/null", &arena));
	assert_int_equal(errno, EINVAL);
}

static void reads_files(void **state)
{
	char path[] = "/tmp/test_btf.XXXXXX";
	uint32_t i = integer("int", 4, ENC_SIGNED);
	size_t size = seal();
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, blob, size), (ssize_t)size);
	close(fd);
	btf = btf_open(path, &arena);
	unlink(path);
	assert_non_null(btf);
	assert_true(type_same(btf_type(btf, i), &type_int));
}

/* ------------------------------------------------------- the kernel's own */

static void open_kernel(void)
{
	btf = btf_open(VMLINUX, &arena);
	if (!btf && errno == ENOENT) {
		fprintf(stderr, "SKIP: no %s on this machine\n", VMLINUX);
		skip();
	}
	assert_non_null(btf);
}

static struct type *kernel_struct(const char *name)
{
	struct type *t = btf_find(btf, TAG_STRUCT, name);

	assert_non_null(t);
	assert_string_equal(t->name, name);
	return t;
}

static struct member kernel_member(const char *tag, const char *name)
{
	struct member m;

	assert_true(type_member(kernel_struct(tag), name, &m));
	return m;
}

static void kernel_headers(void **state)
{
	(void)state;
	open_kernel();
	assert_int_equal(kernel_struct("iphdr")->size, 20);
	assert_int_equal(kernel_struct("iphdr")->align, 4);
	assert_int_equal(kernel_member("iphdr", "saddr").bitoff, 12 * 8);
	assert_int_equal(kernel_member("iphdr", "ihl").bits, 4);
	assert_name(kernel_member("iphdr", "saddr").type, "__be32");
	assert_int_equal(kernel_struct("ipv6hdr")->size, 40);
	assert_int_equal(kernel_struct("tcphdr")->size, 20);
	assert_int_equal(kernel_struct("udphdr")->size, 8);
	assert_null(btf_find(btf, TAG_STRUCT, "no_such_struct"));
	assert_null(btf_find(btf, TAG_UNION, "iphdr"));
}

static void kernel_sk_buff(void **state)
{
	struct type *t;

	(void)state;
	open_kernel();
	t = kernel_struct("sk_buff");
	assert_int_equal(t->align, 8);
	assert_name(type_ptr(&arena, t), "struct sk_buff *");
	assert_int_equal(kernel_member("sk_buff", "len").type->size, 4);
	assert_int_equal(kernel_member("sk_buff", "data_len").bitoff,
			 kernel_member("sk_buff", "len").bitoff + 32);
	assert_int_equal(kernel_member("sk_buff", "pkt_type").bits, 3);
	assert_name(kernel_member("sk_buff", "dev").type, "struct net_device *");
	/* The member is in an anonymous struct in an anonymous union. */
	assert_int_equal(kernel_member("sock_common", "skc_daddr").type->size, 4);
	assert_ptr_equal(type_strip(kernel_member("sk_buff", "sk").type)->to,
			 kernel_struct("sock"));
}

static void kernel_raw_tracepoint(void **state)
{
	struct type *t;
	struct member *m;
	uint32_t n;

	(void)state;
	open_kernel();
	t = btf_find(btf, TAG_TYPEDEF, "btf_trace_netif_receive_skb");
	assert_non_null(t);
	assert_int_equal(t->to->kind, T_PTR);
	assert_int_equal(t->to->to->kind, T_FUNC);
	m = type_members(t->to->to, &n);
	assert_int_equal(n, 2);
	assert_name(m[0].type, "void *");
	assert_name(m[1].type, "struct sk_buff *");
}

static void kernel_typedefs_are_listed(void **state)
{
	struct listing l = {0};

	(void)state;
	open_kernel();
	btf_each_typedef(btf, "btf_trace_", list, &l);
	assert_true(l.n > 100);
	assert_memory_equal(l.last, "btf_trace_", 10);
}

static void kernel_functions(void **state)
{
	(void)state;
	open_kernel();
	assert_int_not_equal(btf_find_func(btf, "tcp_v4_rcv"), 0);
	assert_int_equal(btf_find_func(btf, "no_such_function"), 0);
	/* The failed lookup has built the index, so this lookup uses the index. */
	assert_int_equal(btf_type(btf, btf_find_func(btf, "tcp_v4_rcv"))->kind, T_FUNC);
}

static void kernel_enumerators(void **state)
{
	struct type *t;
	int64_t v;

	(void)state;
	open_kernel();
	assert_int_equal(btf_enumerator(btf, "TCP_ESTABLISHED", &v, &t), 0);
	assert_int_equal(v, 1);
	assert_int_equal(t->kind, T_ENUM);
	assert_int_equal(btf_enumerator(btf, "TCP_CLOSE", &v, NULL), 0);
	assert_int_equal(v, 7);
	assert_int_not_equal(btf_enumerator(btf, "NO_SUCH_ENUMERATOR", &v, NULL), 0);
}

/* Checks that each member lies within its struct or union, and that its type is complete. */
static void check_members(struct type *t)
{
	uint32_t i, n;
	struct member *m = type_members(t, &n);

	for (i = 0; i < n; i++) {
		struct type *of = type_strip(m[i].type);

		if (!type_is_sou(t))
			continue;
		assert_int_not_equal(of->kind, T_VOID);
		assert_true(m[i].bits <= of->size * 8);
		if (!m[i].bits)
			assert_true(m[i].bitoff / 8 + of->size <= t->size);
	}
}

static void kernel_types_are_sound(void **state)
{
	struct strbuf b = {0};
	struct type *t;
	uint32_t id;

	(void)state;
	open_kernel();
	/*
	 * There may be fewer types. A type with a higher id is void, which passes the checks as
	 * well.
	 */
	for (id = 1; id < 150000; id++) {
		t = btf_type(btf, id);
		assert_true(t->align > 0);
		if (t->size)
			assert_int_equal(t->size % t->align, 0);
		check_members(t);
		strbuf_reset(&b);
		type_name(t, &b);
		assert_true(b.len > 0);
	}
	strbuf_release(&b);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(integers),
		T(derived_types),
		T(structs_are_lazy),
		T(bitfields_with_kind_flag),
		T(bitfields_of_old),
		T(enums),
		T(functions),
		T(functions_need_not_be_sorted),
		T(functions_by_their_first_bytes),
		T(forwards),
		T(same_name_for_several_kinds),
		T(names_of_all_lengths),
		T(every_kind_is_skipped_right),
		T(typedefs_by_prefix),
		T(scopes_reach_btf_last),
		T(bad_headers),
		T(strings_must_end),
		T(every_truncation_is_refused),
		T(unknown_kinds_are_refused),
		T(cut_records_are_refused),
		T(bad_name_offsets_are_no_names),
		T(odd_integers_are_void),
		T(cycles_end),
		T(long_chains_end),
		T(recursive_structs_end),
		T(modules),
		T(functions_with_dots),
		T(files_that_are_not_there),
		T(reads_files),
		T(kernel_headers),
		T(kernel_sk_buff),
		T(kernel_raw_tracepoint),
		T(kernel_typedefs_are_listed),
		T(kernel_functions),
		T(kernel_enumerators),
		T(kernel_types_are_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
