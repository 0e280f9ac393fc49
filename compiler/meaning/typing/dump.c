/*
 * dump.c - prints syntax trees with types, conversions, known values and string lengths.
 */
#include "compiler/meaning/typing/dump.h"

#include "base/strbuf.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/strclass.h"
#include "compiler/syntax/ast.h"

static void note(void *ctx, const struct expr *e, struct strbuf *out)
{
	struct strclass k;

	if (e->is_const && e->kind != E_INT)
		strbuf_addf(out, " = %lld", (long long)e->value);
	if (!e->typed || !expr_is_string(e))
		return;
	k = str_class(ctx, e);
	strbuf_addf(out, ", at most %u bytes", k.text);
}

static void dump_probes(const struct enabling *en, struct strbuf *out)
{
	for (uint32_t i = 0; i < en->nprobe; i++)
		strbuf_addf(out, "  probe %s:%s:%s:%s\n", en->probe[i]->prov, en->probe[i]->mod,
			    en->probe[i]->func, en->probe[i]->name);
}

void sema_dump(struct compiler *c, struct strbuf *out)
{
	const struct dump_more more = {expr_target, note, c};

	for (const struct enabling *en = c->probes->enablings; en; en = en->next) {
		strbuf_adds(out, en->hidden ? "clause of a library\n" : "clause\n");
		dump_probes(en, out);
		clause_dump(en->pred, en->body, &more, out);
	}
}
