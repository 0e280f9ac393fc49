/*
 * hint.c - suggestions for what the user may have meant.
 *
 * A suggestion is a guess, and is only shown below the caret. Most suggestions are known names that
 * differ in few characters. Words of other tracers and systems differ in too many characters, so
 * they are in tables.
 */
#include "compiler/meaning/hints/hint.h"

#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/minmax.h"
#include "base/strbuf.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"
#include "providers/provider.h"

#define WORD_MAX 64 /* words of this length or more are not compared */
#define NEAR 3      /* maximum number of changed characters between two similar names */

/* ----------------------------------------------------------------- nearness */

/*
 * Returns the number of changes from @a to @b: a changed, missing or additional character, or two
 * neighbours in the wrong order.
 */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[WORD_MAX][WORD_MAX], i, j;
	size_t na = strlen(a), nb = strlen(b);

	if (na >= WORD_MAX || nb >= WORD_MAX)
		return WORD_MAX;
	for (j = 0; j <= nb; j++)
		row[0][j] = j;
	for (i = 1; i <= na; i++) {
		row[i][0] = i;
		for (j = 1; j <= nb; j++) {
			unsigned n = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			n = min_u32(n, min_u32(row[i - 1][j], row[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				n = min_u32(n, row[i - 2][j - 2] + 1);
			row[i][j] = n;
		}
	}
	return row[na][nb];
}

/*
 * Returns whether @abbr may abbreviate @word, as "recv" abbreviates "receive": @word has the
 * letters of @abbr in order, and both have the same first letter.
 */
static bool abbreviates(const char *abbr, const char *word)
{
	if (strlen(abbr) < 3 || *abbr != *word)
		return false;
	for (; *word && *abbr; word++)
		abbr += *abbr == *word;
	return !*abbr;
}

unsigned hint_nearness(const char *typed, const char *word)
{
	unsigned far;

	if (!strcasecmp(typed, word))
		return 0;
	far = distance(typed, word);
	if (abbreviates(typed, word))
		return far > 2 ? 2 : far;
	/* if most characters must change, the words are not similar */
	return 2 * far > strlen(typed) ? WORD_MAX : far;
}

/* ------------------------------------------------------------------- probes */

/* Words in probe descriptions of other systems, and the probes that dtrace has instead. */
static const struct foreign {
	const char *word; /* the word, in any field of a description */
	const char *hint;
} foreign[] = {
	{"input", "probes of incoming packets are named receive"},
	{"output", "probes of outgoing packets are named send"},
	{"exit", "the probe at the end of a function or system call is named return"},
	{"debug-input", "tcp:::receive fires for all segments that come in"},
	{"debug-output", "tcp:::send fires for all segments that go out"},
	{"debug-drop", "tcp:::drop fires for dropped segments"},
};

static bool hint_foreign(struct compiler *c, const struct probe_desc *d)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		for (int f = 0; f < 4; f++)
			if (!strcmp(d->field[f], foreign[i].word)) {
				diag_hint(c->d, "%s", foreign[i].hint);
				return true;
			}
	return false;
}

static bool is_provider(struct compiler *c, const char *name)
{
	for (size_t i = 0; i < c->probes->stable.n; i++)
		if (!strcmp(c->probes->stable.v[i]->prov, name))
			return true;
	for (int i = 0; host_providers[i]; i++)
		if (!strcmp(host_providers[i]->name, name))
			return true;
	return false;
}

/*
 * Corrects descriptions such as "ip:send", which have the provider's name in the field of the
 * module or function.
 */
static bool hint_colons(struct compiler *c, const struct probe_desc *d)
{
	const char *prov = is_provider(c, d->field[PD_FUNC])  ? d->field[PD_FUNC]
			   : is_provider(c, d->field[PD_MOD]) ? d->field[PD_MOD]
							      : NULL;

	if (!prov || *d->field[PD_PROV])
		return false;
	if (prov == d->field[PD_FUNC] || !*d->field[PD_FUNC])
		diag_hint(c->d, "three colons follow a provider: %s:::%s", prov, d->field[PD_NAME]);
	else
		diag_hint(c->d, "a module stands between a provider and a function: %s::%s:%s",
			  prov, d->field[PD_FUNC], d->field[PD_NAME]);
	return true;
}

/* Suggests the probes of the provider whose names contain the name in @d. */
static bool hint_containing(struct compiler *c, const struct probe_desc *d)
{
	struct strbuf b = {0};
	bool any;

	for (size_t i = 0; i < c->probes->stable.n && strlen(d->field[PD_NAME]) > 3; i++) {
		const struct probe *p = c->probes->stable.v[i];

		if (strstr(p->name, d->field[PD_NAME]) && !strcmp(p->prov, d->field[PD_PROV]))
			strbuf_addf(&b, "%s%s:::%s", b.len ? ", " : "", p->prov, p->name);
	}
	any = b.len;
	if (any)
		diag_hint(c->d, "did you mean %s?", b.s);
	strbuf_release(&b);
	return any;
}

struct nearest {
	const struct probe_desc *desc;
	unsigned least;
	const char *prov, *name;
};

static void try_name(struct nearest *n, const char *prov, const char *name)
{
	unsigned far = hint_nearness(n->desc->field[PD_NAME], name);

	if (*n->desc->field[PD_PROV])
		far += hint_nearness(n->desc->field[PD_PROV], prov);
	if (far < n->least)
		*n = (struct nearest){n->desc, far, prov, name};
}

static bool hint_nearest(struct compiler *c, const struct probe_desc *d)
{
	static const char *const own[] = {"BEGIN", "END", "ERROR"};
	struct nearest n = {.desc = d, .least = NEAR + 1};

	for (size_t i = 0; i < c->probes->stable.n; i++)
		try_name(&n, c->probes->stable.v[i]->prov, c->probes->stable.v[i]->name);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		try_name(&n, "dtrace", own[i]);
	if (n.prov)
		diag_hint(c->d, "did you mean %s:::%s?", n.prov, n.name);
	return n.prov;
}

/* Providers of other systems, whose names are not similar to the name of any provider here. */
static const struct elsewhere {
	const char *prov, *instead; /* "" if there is nothing similar */
} elsewhere[] = {
	{"callout_execute", "rawtp:::timer_expire_entry"},
	{"http", ""},
	{"sctp", ""},
	{"vfs", "fbt::vfs_read:entry and similar functions, or syscall::read:entry"},
};

static const struct elsewhere *is_elsewhere(const char *prov)
{
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		if (!strcmp(prov, elsewhere[i].prov))
			return &elsewhere[i];
	return NULL;
}

static bool hint_provider(struct compiler *c, const struct probe_desc *d)
{
	const char *prov = d->field[PD_PROV], *last = "";
	const struct elsewhere *is = is_elsewhere(prov);
	struct strbuf b = {0};

	if (!*prov || is_provider(c, prov) || strpbrk(prov, "*?["))
		return false;
	if (is && *is->instead) {
		diag_hint(c->d, "there is no provider %s; use %s", prov, is->instead);
		return true;
	}
	for (int i = 0; host_providers[i]; i++)
		strbuf_addf(&b, " %s", host_providers[i]->name);
	for (size_t i = 0; i < c->probes->stable.n; i++) {
		if (strcmp(last, c->probes->stable.v[i]->prov))
			strbuf_addf(&b, " %s", c->probes->stable.v[i]->prov);
		last = c->probes->stable.v[i]->prov;
	}
	diag_hint(c->d, "there is no provider %s; there are%s", prov, b.s ? b.s : " none");
	strbuf_release(&b);
	return true;
}

/*
 * Suggests the function with the most similar name, if the provider has a family of probes with one
 * for each function, as syscall has for each system call.
 */
static bool hint_family(struct compiler *c, const struct probe_desc *d)
{
	const struct family_names *names = family_names(d->field[PD_PROV]);
	const char *typed = d->field[PD_FUNC], *best = NULL, *name = d->field[PD_NAME];
	unsigned least = NEAR + 1;

	for (uint32_t i = 0; names && *typed && i < names->n; i++) {
		unsigned far = names->func[i] ? hint_nearness(typed, names->func[i]) : WORD_MAX;

		if (far < least) {
			least = far;
			best = names->func[i];
		}
	}
	if (!best)
		return false;
	diag_hint(c->d, "did you mean %s::%s:%s?", d->field[PD_PROV], best,
		  !strcmp(name, "exit") || !strcmp(name, "return") ? "return" : "entry");
	return true;
}

/* A search for the probe of a process that is most similar to a description. */
struct near_wanted {
	const struct probe_desc *desc;
	unsigned least;
	const struct host_probe *best;
};

static void try_wanted(void *ctx, struct host_probe *p)
{
	struct near_wanted *n = ctx;
	unsigned far = *n->desc->field[PD_FUNC] ? hint_nearness(n->desc->field[PD_FUNC], p->func)
						: 0;

	far += hint_nearness(n->desc->field[PD_NAME], p->name);
	if (far < n->least) {
		n->least = far;
		n->best = p;
	}
}

static const struct host_provider *provider_wanted(const char *prov)
{
	for (int i = 0; *prov && host_providers[i]; i++)
		if (host_providers[i]->is && host_providers[i]->is(prov))
			return host_providers[i];
	return NULL;
}

static bool hint_wanted(struct compiler *c, const struct probe_desc *d)
{
	const struct host_provider *prov = provider_wanted(d->field[PD_PROV]);
	struct probe_want w = {d->field[PD_PROV], d->field[PD_MOD], "", "", d->loc};
	struct near_wanted n = {d, 2 * NEAR + 1, NULL};
	struct diag quiet = {0};

	if (!prov || c->opt->replay)
		return false;
	prov->each_wanted(&c->probes->env, &w, try_wanted, &n, &quiet);
	diag_release(&quiet);
	if (!n.best && strpbrk(w.prov, "*?["))
		return false;
	if (n.best && *d->field[PD_FUNC])
		diag_hint(c->d, "did you mean %s:%s:%s:%s?", n.best->prov, n.best->mod,
			  n.best->func, n.best->name);
	else if (n.best)
		diag_hint(c->d, "did you mean %s:%s::%s?", n.best->prov, n.best->mod, n.best->name);
	else
		diag_hint(c->d, "dtrace -ln '%s:%s::' lists the probes", w.prov, w.mod);
	return true;
}

/*
 * Explains why a pattern for processes, such as pid*:libc:malloc:entry, is refused. The user must
 * name one process, because looking at all processes takes long.
 */
static bool hint_any_process(struct compiler *c, const struct probe_desc *d)
{
	const char *prov = d->field[PD_PROV];

	if (strncmp(prov, "pid", 3) || !strpbrk(prov, "*?["))
		return false;
	diag_hint(c->d,
		  "a pid provider names one process: write pid$target:%s:%s:%s with -p PID or -c "
		  "COMMAND",
		  d->field[PD_MOD], d->field[PD_FUNC], d->field[PD_NAME]);
	return true;
}

void hint_probe(struct compiler *c, const struct probe_desc *d)
{
	if (hint_tracer(c, d) || hint_any_process(c, d) || hint_wanted(c, d))
		return;
	if (is_elsewhere(d->field[PD_PROV]) && hint_provider(c, d))
		return;
	if (hint_family(c, d))
		return;
	if (!hint_foreign(c, d) && !hint_colons(c, d) && !hint_containing(c, d) &&
	    !hint_nearest(c, d) && !hint_provider(c, d))
		diag_hint(c->d, c->opt->replay ? "'dtrace -r FILE -l' lists the probes of a capture"
					       : "'dtrace -l' lists the probes");
}

/* ------------------------------------------------------------------- members */

bool hint_ends_in(const char *name, const char *typed)
{
	size_t len = strlen(name), end = strlen(typed);

	return end > 2 && len > end && name[len - end - 1] == '_' &&
	       !strcmp(name + len - end, typed);
}

/*
 * Returns the shortest member of struct @t whose name ends in "_" and @name, such as ip_saddr for
 * saddr. Returns NULL if there is none.
 */
static const char *member_ending(struct type *t, const char *name)
{
	const char *shortest = NULL;
	struct member *m;
	uint32_t n;

	m = type_members(t, &n);
	for (uint32_t i = 0; i < n; i++)
		if (m[i].name && hint_ends_in(m[i].name, name) &&
		    (!shortest || strlen(m[i].name) < strlen(shortest)))
			shortest = m[i].name;
	return shortest;
}

/*
 * If several members fit, suggests the one with the shortest name: ip_saddr for saddr, not
 * pkt_ct_orig_saddr.
 */
bool hint_member_of_argument(struct compiler *c, const char *name)
{
	const struct probe *p = c->typing->nprobe ? c->typing->probe[0] : NULL;
	const char *best = NULL;
	uint32_t arg = 0;
	struct member m;

	for (uint32_t i = 0; p && !p->host && i < probe_nargs(p); i++) {
		struct type *t = type_strip(probe_arg_type(p, i));
		const char *member;

		if (t->kind != T_PTR || !type_is_sou(t->to))
			continue;
		member = type_member(t->to, name, &m) ? name
						      : member_ending(type_strip(t->to), name);
		if (member && (!best || strlen(member) < strlen(best))) {
			best = member;
			arg = i;
		}
	}
	if (best)
		diag_hint(c->d, "did you mean args[%u]->%s?", arg, best);
	return best;
}

void hint_member(struct compiler *c, const char *name, struct type *t)
{
	const char *best = NULL;
	unsigned least = NEAR + 1;
	struct member *m;
	uint32_t n;

	if (hint_foreign_member(c, name) || hint_member_of_argument(c, name))
		return;
	m = type_members(type_strip(t), &n);
	for (uint32_t i = 0; i < n; i++) {
		unsigned far = m[i].name ? hint_nearness(name, m[i].name) : WORD_MAX;

		/*
		 * With more than one change, the first letters must be equal: t_cpu is not similar
		 * to on_cpu.
		 */
		if (!m[i].name || (far > 1 && *m[i].name != *name))
			continue;
		if (far < least) {
			least = far;
			best = m[i].name;
		}
	}
	if (best)
		diag_hint(c->d, "did you mean %s?", best);
}

/* --------------------------------------------------------------- expressions */

void hint_operands(struct compiler *c, const struct expr *a, const struct expr *b)
{
	const struct expr *text = expr_is_string(a) ? a : expr_is_string(b) ? b : NULL;
	const struct expr *other = text == a ? b : a;

	if (!text)
		return;
	if (other->kind == E_INT && other->loc.src && other->loc.src->text[other->loc.off] == '\'')
		diag_hint(c->d, "strings are written in double quotes");
	else if (text->kind == E_STR)
		diag_hint(c->d, "compare a number with a number or a constant, such as "
				"TCP_STATE_ESTABLISHED, not with a string");
}
