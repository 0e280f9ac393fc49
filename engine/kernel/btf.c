/* btf.c - makes BTF for a unit's functions and for maps. */
#include "engine/kernel/btf.h"

#include <ctype.h>
#include <linux/bpf.h>
#include <linux/btf.h>

#include "base/xalloc.h"
#include "ir/program.h"

/*
 * Types and names that were added so far. The first types are used by all functions; the enum below
 * has their ids.
 */
struct maker {
	struct strbuf type, name;
	uint32_t n; /* number of types */
};

enum { T_INT = 1, T_CHAR, T_LONG, T_NO_PARAMS };

/*
 * Adds a name and returns its offset. Replaces characters that the kernel refuses, such as blanks,
 * by '_'.
 */
static uint32_t add_name(struct maker *m, const char *name)
{
	uint32_t at = (uint32_t)m->name.len;

	for (const char *p = name; *p; p++)
		strbuf_addc(&m->name, isalnum((unsigned char)*p) ? *p : '_');
	strbuf_addc(&m->name, '\0');
	return at;
}

/*
 * Adds a type and returns its id. @x is the size of the type, or the id of the type that it refers
 * to.
 */
static uint32_t add_type(struct maker *m, uint32_t name, uint32_t kind, uint32_t vlen, uint32_t x)
{
	struct btf_type t = {.name_off = name, .info = kind << 24 | vlen, .size = x};

	strbuf_add(&m->type, &t, sizeof(t));
	return ++m->n;
}

static void add_int(struct maker *m, const char *name, uint32_t size)
{
	uint32_t data = BTF_INT_SIGNED << 24 | size * 8;

	add_type(m, add_name(m, name), BTF_KIND_INT, 0, size);
	strbuf_add(&m->type, &data, sizeof(data));
}

static uint32_t add_bytes(struct maker *m, uint32_t size)
{
	struct btf_array a = {.type = T_CHAR, .index_type = T_INT, .nelems = size};
	uint32_t id = add_type(m, 0, BTF_KIND_ARRAY, 0, 0);

	strbuf_add(&m->type, &a, sizeof(a));
	return id;
}

/* Returns the type of a parameter: a pointer to @size bytes, or a number if @size is 0. */
static uint32_t add_param(struct maker *m, uint32_t size)
{
	if (!size)
		return T_LONG;
	return add_type(m, 0, BTF_KIND_PTR, 0, add_bytes(m, size));
}

static uint32_t add_func(struct maker *m, const struct unit_func *f)
{
	struct btf_param param[FUNC_PARAMS];
	uint32_t name = add_name(m, f->name);

	if (!f->params.global)
		return add_type(m, name, BTF_KIND_FUNC, BTF_FUNC_STATIC, T_NO_PARAMS);
	for (uint32_t i = 0; i < f->params.n; i++)
		param[i] = (struct btf_param){add_name(m, "p"), add_param(m, f->params.size[i])};
	add_type(m, 0, BTF_KIND_FUNC_PROTO, f->params.n, T_INT);
	strbuf_add(&m->type, param, f->params.n * sizeof(*param));
	return add_type(m, name, BTF_KIND_FUNC, BTF_FUNC_GLOBAL, m->n);
}

static bool any_global(const struct unit *u)
{
	for (uint32_t i = 0; i < u->nfunc; i++)
		if (u->func[i].params.global)
			return true;
	return false;
}

static void maker_init(struct maker *m)
{
	strbuf_addc(&m->name, '\0');
	add_int(m, "int", 4);
	add_int(m, "char", 1);
	add_int(m, "long", 8);
}

static void put_together(struct maker *m, struct strbuf *blob)
{
	struct btf_header h = {.magic = BTF_MAGIC,
			       .version = BTF_VERSION,
			       .hdr_len = sizeof(h),
			       .type_len = (uint32_t)m->type.len,
			       .str_off = (uint32_t)m->type.len,
			       .str_len = (uint32_t)m->name.len};

	strbuf_add(blob, &h, sizeof(h));
	strbuf_add(blob, m->type.s, m->type.len);
	strbuf_add(blob, m->name.s, m->name.len);
	strbuf_release(&m->type);
	strbuf_release(&m->name);
}

void kbtf_make(const struct unit *u, struct kbtf *k)
{
	struct maker m = {0};

	*k = (struct kbtf){0};
	if (!any_global(u))
		return;
	maker_init(&m);
	add_type(&m, 0, BTF_KIND_FUNC_PROTO, 0, T_INT);
	k->nfunc = u->nfunc;
	k->func = xcalloc(u->nfunc, sizeof(*k->func));
	for (uint32_t i = 0; i < u->nfunc; i++)
		k->func[i] = (struct bpf_func_info){u->func[i].insn, add_func(&m, &u->func[i])};
	put_together(&m, &k->blob);
}

void kbtf_make_map(uint32_t value_size, struct strbuf *blob, uint32_t *key, uint32_t *value)
{
	struct maker m = {0};

	maker_init(&m);
	*key = T_INT;
	*value = add_bytes(&m, value_size);
	put_together(&m, blob);
}

void kbtf_free(struct kbtf *k)
{
	strbuf_release(&k->blob);
	xfree(k->func);
}
