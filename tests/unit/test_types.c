/* test_types.c - checks built-in and derived types, names of types, and scopes. */
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "tests/check.h"
#include "ir/types/type.h"

static struct arena arena;

static int setup(void **state)
{
	(void)state;
	arena_init(&arena);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static struct type *new_sou(enum type_kind kind, const char *name, struct member *m, uint32_t n)
{
	struct type *t = arena_new(&arena, struct type);

	t->kind = kind;
	t->name = name;
	t->member = arena_memdup(&arena, m, n * sizeof(*m));
	t->nmember = n;
	return t;
}

static struct type *new_enum(const char *name, const char *id, int64_t value)
{
	struct type *t = arena_new(&arena, struct type);

	t->kind = T_ENUM;
	t->size = t->align = 4;
	t->name = name;
	t->enumerator = arena_new(&arena, struct enumerator);
	t->enumerator->name = id;
	t->enumerator->value = value;
	t->nenumerator = 1;
	return t;
}

static struct type *new_func(struct type *ret)
{
	struct type *t = arena_new(&arena, struct type);

	t->kind = T_FUNC;
	t->to = ret;
	return t;
}

static void assert_name(struct type *t, const char *want)
{
	struct strbuf b = {0};

	type_name(t, &b);
	assert_string_equal(b.s, want);
	strbuf_release(&b);
}

static struct type *ptr(struct type *to)
{
	return type_ptr(&arena, to);
}

/* ------------------------------------------------------------------- types */

static void builtin_sizes(void **state)
{
	(void)state;
	assert_int_equal(type_char.size, 1);
	assert_true(type_char.sgn);
	assert_true(type_char.is_char);
	assert_false(type_uchar.sgn);
	assert_int_equal(type_short.size, 2);
	assert_int_equal(type_int.size, 4);
	assert_int_equal(type_long.size, 8);
	assert_int_equal(type_ullong.align, 8);
	assert_int_equal(type_bool.size, 1);
	assert_false(type_bool.is_char);
	assert_int_equal(type_double.size, 8);
	assert_int_equal(type_void.size, 0);
}

static void names(void **state)
{
	struct type *sk = new_sou(T_STRUCT, "sk_buff", NULL, 0);
	struct type *fn = new_func(&type_int);
	struct type *user = arena_new(&arena, struct type);

	(void)state;
	assert_name(&type_uint, "unsigned int");
	assert_name(&type_string, "string");
	assert_name(sk, "struct sk_buff");
	assert_name(ptr(sk), "struct sk_buff *");
	assert_name(ptr(ptr(&type_char)), "char **");
	assert_name(type_array(&arena, &type_char, 16), "char [16]");
	assert_name(type_array(&arena, type_array(&arena, &type_int, 3), 2), "int [2][3]");
	assert_name(type_array(&arena, ptr(&type_char), 4), "char *[4]");
	assert_name(ptr(type_array(&arena, &type_int, 4)), "int (*)[4]");
	assert_name(fn, "int ()");
	assert_name(ptr(fn), "int (*)()");
	assert_name(ptr(ptr(fn)), "int (**)()");
	assert_name(new_func(ptr(&type_void)), "void *()");
	assert_name(ptr(new_func(ptr(fn))), "int (*(*)())()");
	assert_name(new_sou(T_STRUCT, NULL, NULL, 0), "struct <anon>");
	assert_name(new_sou(T_UNION, "u", NULL, 0), "union u");
	assert_name(new_enum("e", "A", 1), "enum e");
	assert_name(ptr(type_typedef(&arena, "skb_t", sk)), "skb_t *");
	user->kind = T_PTR;
	user->to = &type_char;
	user->userland = true;
	assert_name(user, "userland char *");
}

static void name_is_appended(void **state)
{
	struct strbuf b = {0};

	(void)state;
	strbuf_adds(&b, "got ");
	type_name(ptr(&type_int), &b);
	assert_string_equal(b.s, "got int *");
	strbuf_release(&b);
}

static void derived(void **state)
{
	struct type *s = new_sou(T_STRUCT, "s", NULL, 0);
	struct type *a = type_array(&arena, &type_short, 5);
	struct type *huge = type_array(&arena, a, UINT32_MAX);
	struct type *td = type_typedef(&arena, "t", type_typedef(&arena, "u", a));

	(void)state;
	assert_ptr_equal(ptr(s), ptr(s));
	assert_int_equal(ptr(s)->size, 8);
	assert_int_equal(a->size, 10);
	assert_int_equal(a->align, 2);
	assert_int_equal(huge->size, 0);
	assert_int_equal(td->size, 10);
	assert_ptr_equal(type_strip(td), a);
	assert_true(type_is(td, T_ARRAY));
}

/* A second compilation must not get pointer types from the memory of the first. */
static void builtin_pointers_are_not_cached(void **state)
{
	struct arena first = {0};
	struct scope s;
	struct type *p, *q;

	(void)state;
	scope_init(&s, &first, NULL, NULL);
	p = type_ptr(&first, &type_char);
	q = type_ptr(&first, scope_find(&s, TAG_TYPEDEF, "uint8_t"));
	arena_release(&first);
	assert_ptr_not_equal(ptr(&type_char), p);
	assert_int_equal(ptr(&type_char)->kind, T_PTR);
	assert_ptr_not_equal(ptr(scope_find(&s, TAG_TYPEDEF, "uint8_t")), q);
}

static void classes(void **state)
{
	struct type *td = type_typedef(&arena, "t", new_enum("e", "A", 1));

	(void)state;
	assert_true(type_is_integer(td));
	assert_true(type_is_scalar(td));
	assert_false(type_is_signed(td));
	assert_true(type_is_signed(&type_int));
	assert_false(type_is_signed(ptr(&type_int)));
	assert_false(type_is_integer(ptr(&type_int)));
	assert_true(type_is_scalar(ptr(&type_int)));
	assert_false(type_is_scalar(&type_string));
	assert_true(type_is_sou(new_sou(T_UNION, "u", NULL, 0)));
	assert_false(type_is_sou(&type_int));
}

static void sameness(void **state)
{
	struct type *s = new_sou(T_STRUCT, "s", NULL, 0), *s2 = new_sou(T_STRUCT, "s", NULL, 0);
	struct type *u = new_sou(T_UNION, "s", NULL, 0), *fwd = new_sou(T_FWD, "s", NULL, 0);
	struct type *anon = new_sou(T_STRUCT, NULL, NULL, 0);
	struct type *anon2 = new_sou(T_STRUCT, NULL, NULL, 0);
	struct type *td = type_typedef(&arena, "int64_t", &type_long);

	(void)state;
	assert_true(type_same(&type_char, &type_schar));
	assert_false(type_same(&type_char, &type_uchar));
	assert_true(type_same(&type_long, &type_llong));
	assert_false(type_same(&type_int, &type_uint));
	assert_true(type_same(td, &type_long));
	assert_true(type_same(s, s2));
	assert_true(type_same(ptr(s), ptr(s2)));
	assert_true(type_same(fwd, s));
	assert_false(type_same(s, u));
	assert_true(type_same(anon, anon));
	assert_false(type_same(anon, anon2));
	assert_false(type_same(ptr(&type_void), ptr(s)));
	assert_true(type_same(ptr(&type_void), ptr(&type_void)));
	assert_false(type_same(ptr(&type_int), &type_long));
	assert_true(type_same(type_array(&arena, td, 4), type_array(&arena, &type_long, 4)));
	assert_false(type_same(type_array(&arena, td, 4), type_array(&arena, td, 5)));
	assert_true(type_same(new_func(&type_int), new_func(&type_int)));
	assert_false(type_same(new_func(&type_int), new_func(&type_void)));
	assert_false(type_same(&type_string, ptr(&type_char)));
	assert_true(type_same(&type_error, s));
}

/*
 * The type char of the kernel is unsigned (-funsigned-char), and char of D is signed. They count as
 * the same type.
 */
static void plain_chars_are_the_same(void **state)
{
	struct type kernel = {.kind = T_INT, .size = 1, .name = "char", .is_char = true};

	(void)state;
	assert_true(type_same(&kernel, &type_char));
}

static void members_in_anonymous_members(void **state)
{
	struct member in[] = {{"x", &type_int, 0, 0}, {"y", &type_int, 32, 3}};
	struct type *inner = new_sou(T_UNION, NULL, in, 2);
	struct member mid[] = {{"w", &type_int, 0, 0}, {NULL, inner, 32, 0}};
	struct type *middle = new_sou(T_STRUCT, NULL, mid, 2);
	struct member out[] = {{"a", &type_long, 0, 0},
			       {NULL, &type_int, 32, 5},
			       {NULL, middle, 64, 0}};
	struct type *outer = type_typedef(&arena, "o_t", new_sou(T_STRUCT, "o", out, 3));
	struct member m;
	uint32_t n;

	(void)state;
	assert_true(type_member(outer, "a", &m));
	assert_int_equal(m.bitoff, 0);
	assert_true(type_member(outer, "w", &m));
	assert_int_equal(m.bitoff, 64);
	assert_true(type_member(outer, "y", &m));
	assert_int_equal(m.bitoff, 64 + 32 + 32);
	assert_int_equal(m.bits, 3);
	assert_false(type_member(outer, "z", &m));
	assert_false(type_member(&type_int, "z", &m));
	assert_non_null(type_members(outer, &n));
	assert_int_equal(n, 3);
	assert_null(type_members(&type_int, &n));
	assert_int_equal(n, 0);
}

/* ------------------------------------------------------------------ scopes */

static void c_names(void **state)
{
	static const struct {
		const char *name;
		uint32_t size;
		bool sgn;
	} want[] = {
		{"int8_t", 1, true},        {"int16_t", 2, true},    {"int32_t", 4, true},
		{"int64_t", 8, true},       {"uint8_t", 1, false},   {"uint16_t", 2, false},
		{"uint32_t", 4, false},     {"uint64_t", 8, false},  {"size_t", 8, false},
		{"ssize_t", 8, true},       {"uintptr_t", 8, false}, {"intptr_t", 8, true},
		{"ptrdiff_t", 8, true},     {"pid_t", 4, true},      {"uid_t", 4, false},
		{"gid_t", 4, false},        {"id_t", 4, true},       {"zoneid_t", 4, true},
		{"netstackid_t", 4, false}, {"ipaddr_t", 4, false},  {"in_addr_t", 4, false},
		{"u_char", 1, false},       {"u_short", 2, false},   {"u_int", 4, false},
		{"u_long", 8, false},       {"uchar_t", 1, false},   {"ushort_t", 2, false},
		{"uint_t", 4, false},       {"ulong_t", 8, false},   {"longlong_t", 8, true},
		{"u_longlong_t", 8, false}, {"off_t", 8, true},      {"time_t", 8, true},
	};
	struct scope s;
	struct type *t;
	size_t i;

	(void)state;
	scope_init(&s, &arena, NULL, NULL);
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		t = scope_find(&s, TAG_TYPEDEF, want[i].name);
		assert_non_null(t);
		assert_int_equal(t->kind, T_TYPEDEF);
		assert_name(t, want[i].name);
		assert_int_equal(t->size, want[i].size);
		assert_int_equal(t->align, want[i].size);
		assert_int_equal(type_strip(t)->size, want[i].size);
		assert_int_equal(type_is_signed(t), want[i].sgn);
	}
	assert_null(scope_find(&s, TAG_TYPEDEF, "in6_addr_t"));
	assert_null(scope_find(&s, TAG_STRUCT, "uint8_t"));
	assert_null(scope_find(&s, TAG_TYPEDEF, ""));
}

static void inner_scope_wins(void **state)
{
	struct type *a = new_sou(T_STRUCT, "s", NULL, 0), *b = new_sou(T_STRUCT, "s", NULL, 0);
	struct type *own = type_typedef(&arena, "uint8_t", &type_int);
	struct scope in, out;

	(void)state;
	scope_init(&out, &arena, NULL, NULL);
	scope_init(&in, &arena, &out, NULL);
	scope_add(&out, TAG_STRUCT, "s", a);
	assert_ptr_equal(scope_find(&in, TAG_STRUCT, "s"), a);
	assert_null(scope_own(&in, TAG_STRUCT, "s"));
	scope_add(&in, TAG_STRUCT, "s", b);
	assert_ptr_equal(scope_find(&in, TAG_STRUCT, "s"), b);
	assert_ptr_equal(scope_find(&out, TAG_STRUCT, "s"), a);
	assert_null(scope_find(&in, TAG_UNION, "s"));
	scope_add(&out, TAG_TYPEDEF, "uint8_t", own);
	assert_ptr_equal(scope_find(&in, TAG_TYPEDEF, "uint8_t"), own);
}

static void complete_type_beats_forward(void **state)
{
	struct type *fwd = new_sou(T_FWD, "s", NULL, 0), *full = new_sou(T_STRUCT, "s", NULL, 0);
	struct scope in, out;

	(void)state;
	scope_init(&out, &arena, NULL, NULL);
	scope_init(&in, &arena, &out, NULL);
	scope_add(&in, TAG_STRUCT, "s", fwd);
	assert_ptr_equal(scope_find(&in, TAG_STRUCT, "s"), fwd);
	scope_add(&out, TAG_STRUCT, "s", full);
	assert_ptr_equal(scope_find(&in, TAG_STRUCT, "s"), full);
	assert_ptr_equal(scope_own(&in, TAG_STRUCT, "s"), fwd);
	scope_add(&in, TAG_STRUCT, "s", full);
	assert_ptr_equal(scope_own(&in, TAG_STRUCT, "s"), full);
}

static void many_names(void **state)
{
	struct type *t[2000];
	struct scope s;
	int i;

	(void)state;
	scope_init(&s, &arena, NULL, NULL);
	for (i = 0; i < 2000; i++) {
		t[i] = type_typedef(&arena, arena_printf(&arena, "name_%d_t", i), &type_int);
		scope_add(&s, TAG_TYPEDEF, t[i]->name, t[i]);
	}
	for (i = 0; i < 2000; i++)
		assert_ptr_equal(scope_own(&s, TAG_TYPEDEF, t[i]->name), t[i]);
	assert_null(scope_own(&s, TAG_TYPEDEF, "name_2000_t"));
}

static void enumerators(void **state)
{
	struct type *anon = new_enum(NULL, "ANON", -3), *anon2 = new_enum(NULL, "ANON2", 4);
	struct type *named = new_enum("e", "NAMED", 5), *hidden = new_enum("f", "NAMED", 6);
	struct type *td = type_typedef(&arena, "e_t", new_enum(NULL, "TD", 7)), *type;
	struct scope in, out;
	int64_t v;

	(void)state;
	scope_init(&out, &arena, NULL, NULL);
	scope_init(&in, &arena, &out, NULL);
	scope_add(&in, TAG_ENUM, NULL, anon);
	scope_add(&in, TAG_ENUM, NULL, anon2);
	scope_add(&in, TAG_TYPEDEF, "e_t", td);
	scope_add(&in, TAG_ENUM, "e", named);
	scope_add(&out, TAG_ENUM, "f", hidden);
	assert_true(scope_enumerator(&in, "ANON", &v, NULL));
	assert_int_equal(v, -3);
	assert_true(scope_enumerator(&in, "ANON2", &v, &type));
	assert_ptr_equal(type, anon2);
	assert_true(scope_enumerator(&in, "TD", &v, &type));
	assert_ptr_equal(type, td->to);
	assert_true(scope_enumerator(&in, "NAMED", &v, &type));
	assert_int_equal(v, 5);
	assert_true(scope_enumerator(&out, "NAMED", &v, &type));
	assert_int_equal(v, 6);
	assert_false(scope_enumerator(&in, "NONE", &v, &type));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builtin_sizes),
		cmocka_unit_test(names),
		cmocka_unit_test(name_is_appended),
		cmocka_unit_test(derived),
		cmocka_unit_test(builtin_pointers_are_not_cached),
		cmocka_unit_test(classes),
		cmocka_unit_test(sameness),
		cmocka_unit_test(plain_chars_are_the_same),
		cmocka_unit_test(members_in_anonymous_members),
		cmocka_unit_test(c_names),
		cmocka_unit_test(inner_scope_wins),
		cmocka_unit_test(complete_type_beats_forward),
		cmocka_unit_test(many_names),
		cmocka_unit_test(enumerators),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
