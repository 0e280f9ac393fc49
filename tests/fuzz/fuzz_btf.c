/* fuzz_btf.c - checks that a damaged blob of BTF does not hang or crash the BTF reader. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "ir/types/btf.h"
#include "ir/types/type.h"

#define MAX_IDS 256

static void count(void *ctx, const char *name, uint32_t id)
{
	*(size_t *)ctx += strlen(name) + id;
}

/* Calls the functions that the compiler uses to read a type and its members. */
static void look_at(struct type *t, struct type *other)
{
	struct strbuf text = {0};
	struct member out;
	uint32_t i, n;
	struct member *m = type_members(t, &n);

	type_name(t, &text);
	type_same(t, other);
	type_member(t, "x", &out);
	for (i = 0; i < n && i < 16; i++) {
		if (m[i].name)
			type_member(t, m[i].name, &out);
		type_name(m[i].type, &text);
	}
	strbuf_release(&text);
}

static void look_up(struct btf *b, struct arena *a)
{
	static const char *const name[] = {"", "x", "sk_buff", "int", "TCP_ESTABLISHED"};
	struct scope s;
	int64_t value;
	size_t i, sum = 0;
	int k;

	scope_init(&s, a, NULL, b);
	for (i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		for (k = TAG_STRUCT; k <= TAG_TYPEDEF; k++)
			scope_find(&s, (enum tag_kind)k, name[i]);
		btf_find_func(b, name[i]);
		scope_enumerator(&s, name[i], &value, NULL);
	}
	btf_each_typedef(b, "", count, &sum);
}

static void look_through(struct btf *b, size_t size, struct arena *a)
{
	struct type *t, *last = &type_int;

	for (uint32_t id = 0; id < MAX_IDS && id <= 2 * (size / 12 + 1); id++) {
		t = btf_type(b, id);
		look_at(t, last);
		btf_func_has_dots(b, id);
		last = t;
	}
	look_up(b, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct btf *b = btf_parse(data, size, &a),
		   *module = b ? btf_parse_on(b, data, size, &a) : NULL;

	if (b)
		look_through(b, size, &a);
	if (module)
		look_through(module, size, &a);
	btf_close(module);
	btf_close(b);
	arena_release(&a);
	return 0;
}
