/*
 * pcap_lib.c - loads libpcap when a run needs it, and finds the place of an error in an expression.
 */
#include "engine/replay/capture/pcap_lib.h"

#ifdef HAVE_PCAP
#include <stddef.h>
#include <string.h>

#include "base/diag.h"
#include "base/library.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

static struct pcap_lib lib;

static const struct library_symbol names[] = {
#define X(name) {"pcap_" #name, (void **)&lib.name},
	PCAP_FUNCTIONS(X)
#undef X
};

static bool load(const char *file)
{
	return library_load(file, names, sizeof(names) / sizeof(*names));
}

const struct pcap_lib *pcap_lib(const char *why, struct diag *d)
{
	/* the first name is used on Debian, the second on other systems */
	if (load("libpcap.so.0.8") || load("libpcap.so.1"))
		return &lib;
	library_missing(d, D_SYS, NOLOC, why, "libpcap.so.0.8");
	return NULL;
}

/* -------------------------------------------------- errors in an expression */

static bool compiles(const struct pcap_lib *lib, pcap_t *p, const char *text)
{
	struct bpf_program prog;
	bool good = !lib->compile(p, &prog, text, 0, PCAP_NETMASK_UNKNOWN);

	if (good)
		lib->freecode(&prog);
	return good;
}

/* Returns how many parentheses in @text are not closed. */
static unsigned open_ones(const char *text, size_t n)
{
	unsigned open = 0;

	for (size_t i = 0; i < n; i++)
		open += text[i] == '(' ? 1 : text[i] == ')' && open ? -1u : 0;
	return open;
}

/*
 * Returns whether the first @n bytes of @text can begin an expression. Tries to compile them with
 * several continuations.
 */
static bool begins_one(const struct pcap_lib *lib, pcap_t *p, const char *text, size_t n)
{
	static const char *const rests[] = {"",     " 1",     " ip",   " 10.0.0.1", " port 1",
					    " = 1", " 1 = 1", "] = 1", " 1] = 1"};
	struct strbuf b = {0};
	bool good = false;

	for (size_t i = 0; !good && i < sizeof(rests) / sizeof(*rests); i++) {
		strbuf_reset(&b);
		strbuf_add(&b, text, n);
		strbuf_adds(&b, rests[i]);
		for (unsigned k = open_ones(text, n); k; k--)
			strbuf_addc(&b, ')');
		good = compiles(lib, p, b.s);
	}
	strbuf_release(&b);
	return good;
}

static const char blanks[] = " \t\n";

/* Returns the offset in @text of the end of the word or sign that begins at offset @p. */
static size_t word_end(const char *text, size_t p)
{
	size_t sign = strspn(text + p, "!&|=<>");

	if (sign)
		return p + sign;
	return strchr("()[]+-*/", text[p]) ? p + 1 : p + strcspn(text + p, " \t\n()[]!&|=<>+*/");
}

/*
 * Finds the word that @msg quotes ("unknown host 'gw'") in @text. Returns its place, or -1 if there
 * is no such word.
 */
static ptrdiff_t quoted_at(const char *text, const char *msg)
{
	const char *from = strchr(msg, '\''), *to = from ? strchr(from + 1, '\'') : NULL;
	size_t n = to ? (size_t)(to - from - 1) : 0;

	for (size_t at = strspn(text, blanks), end; n && text[at];
	     at = end + strspn(text + end, blanks)) {
		end = word_end(text, at);
		if (!strncmp(text + at, from + 1, n) && strchr("()[]!&|=<>+*/ \t\n", text[at + n]))
			return (ptrdiff_t)at;
	}
	return -1;
}

/*
 * Returns the place of the first word after which @text cannot go on as an expression. libpcap does
 * not say where it found the error.
 */
static uint32_t error_at(const struct pcap_lib *lib, pcap_t *p, const char *text)
{
	size_t at = strspn(text, blanks), end;

	for (; text[at]; at = end + strspn(text + end, blanks)) {
		end = word_end(text, at);
		if (!begins_one(lib, p, text, end))
			break;
	}
	return (uint32_t)at;
}

/*
 * error_at() is used only for expressions of at most this many characters. It compiles the
 * expression up to each word, which takes minutes for a long expression.
 */
#define SEARCH_MAX 2048

static const char refused[] = "failed to set -x filter: ";

void pcap_refused(const struct pcap_lib *lib, pcap_t *p, const struct src *expression,
		  struct diag *d)
{
	char *msg = xstrdup(lib->geterr(p)); /* error_at() replaces libpcap's message */
	ptrdiff_t quoted = quoted_at(expression->text, msg);
	struct loc loc = {expression, (uint32_t)quoted};

	if (quoted < 0 && expression->len > SEARCH_MAX)
		loc = NOLOC;
	else if (quoted < 0)
		loc.off = error_at(lib, p, expression->text);
	diag_error(d, D_SYS, loc, "%s%s", refused, msg);
	xfree(msg);
}

int pcap_check_length(size_t n, const char *what, unsigned most, const char *where, struct diag *d)
{
	if (n <= most)
		return 0;
	return diag_error(d, D_LIMIT, NOLOC,
			  "%sthe expression is too long: it has %zu %s, and at most %u are "
			  "possible%s (-x addr= and port= take lists)",
			  refused, n, what, most, where);
}

bool pcap_same_error(const struct pcap_lib *lib, pcap_t *p, const struct diag *d)
{
	return !strcmp(d->msg + strlen(refused), lib->geterr(p));
}

bool pcap_is_unknown_name(const struct diag *d)
{
	static const char *const unknown[] = {"unknown host", "unknown network"};

	for (size_t i = 0; d->nerr && i < sizeof(unknown) / sizeof(*unknown); i++)
		if (!strncmp(d->msg + strlen(refused), unknown[i], strlen(unknown[i])))
			return true;
	return false;
}
#endif
