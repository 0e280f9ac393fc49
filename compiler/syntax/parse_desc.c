/*
 * parse_desc.c - parses probe descriptions: prov:mod:func:name.
 */
#include "compiler/syntax/parse_int.h"

#include <ctype.h>
#include <string.h>

#include "base/glob.h"
#include "base/strbuf.h"

static bool all_digits(const char *s)
{
	while (isdigit((unsigned char)*s))
		s++;
	return !*s;
}

/* Sets out->id to the probe ID in out->text, a number that -l shows. */
static void take_id(struct parser *p, struct probe_desc *out)
{
	static const char *const kind[] = {"providers", "modules", "functions"};
	const char *s = out->text;
	uint64_t id = 0;

	for (; *s && id <= UINT32_MAX; s++)
		id = id * 10 + (uint64_t)(*s - '0');
	if (id > UINT32_MAX)
		p_fail(p, D_PDESC_INVAL, out->loc, "identifier %s exceeds maximum probe id",
		       out->text);
	else if (p->o->right != PD_RIGHT_NAME)
		p_fail(p, D_PDESC_INVAL, out->loc,
		       "probe identifier %s not permitted when specifying %s", out->text,
		       kind[p->o->right]);
	else if (id == 0)
		p_fail(p, D_PDESC_INVAL, out->loc,
		       "invalid probe identifier %s: Unknown probe identifier", out->text);
	out->id = (uint32_t)id;
}

/*
 * Splits bytes [@from, @to) at the colons into the fields of @out. Macro variables are replaced in
 * each field separately, so a colon in the value of a variable does not end the field.
 */
static void take_fields(struct parser *p, uint32_t from, uint32_t to, struct probe_desc *out)
{
	const char *text = p->lx.src->text, *field[5], *v;
	unsigned n = 0, right = (unsigned)p->o->right,
		 most = p->o->host && right == PD_RIGHT_NAME ? right + 1 : right, i = 0;
	uint32_t stop;

	for (;; from = stop + 1) {
		const char *colon = memchr(text + from, ':', to - from);

		stop = colon ? (uint32_t)(colon - text) : to;
		if (n > most) {
			p_fail(p, D_PDESC_INVAL, out->loc,
			       "invalid probe description \"%s\": Overspecified probe description",
			       out->text);
			return;
		}
		v = macro_expand(&p->lx, from, stop);
		if (!v) {
			p_stop(p);
			return;
		}
		field[n++] = intern(p->names, v);
		if (stop == to)
			break;
	}
	if (n > right + 1) {
		out->elsewhere = !glob_match(field[0], p->o->host);
		i = 1;
	}
	for (; i < n; i++)
		out->field[right + 1 - n + i] = field[i];
}

static void split(struct parser *p, uint32_t from, uint32_t to, struct probe_desc *out)
{
	int i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < 4; i++)
		out->field[i] = intern(p->names, "");
	out->loc = p_loc_at(p, from);
	out->text = macro_expand(&p->lx, from, to);
	if (!out->text) {
		out->text = "";
		p_stop(p);
		return;
	}
	if (*out->text && all_digits(out->text))
		take_id(p, out);
	else
		take_fields(p, from, to, out);
}

void p_desc(struct parser *p, struct probe_desc *out)
{
	p->desc_off = p->tok.off;
	split(p, p->tok.off, p->tok.end, out);
	p_next_in(p, LEX_PROBE);
}
