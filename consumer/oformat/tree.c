/* tree.c - writes nested named values as JSON, XML or HTML. */
#include "consumer/oformat/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "consumer/oformat/json.h"

void tree_open(struct tree *t, enum tree_node n, const char *name)
{
	t->ops->open(t, n, name);
	t->values = n == TREE_VALUES;
}

void tree_close(struct tree *t, enum tree_node n, const char *name)
{
	t->values = false;
	t->ops->close(t, n, name);
}

void tree_int(struct tree *t, const char *name, int64_t v)
{
	char text[24];

	t->ops->leaf(t, name, text, (size_t)snprintf(text, sizeof(text), "%" PRId64, v), true);
}

void tree_uint(struct tree *t, const char *name, uint64_t v)
{
	char text[24];

	t->ops->leaf(t, name, text, (size_t)snprintf(text, sizeof(text), "%" PRIu64, v), true);
}

void tree_text(struct tree *t, const char *name, const char *s, size_t n)
{
	t->ops->leaf(t, name, s, n, false);
}

void tree_string(struct tree *t, const char *name, const char *s)
{
	tree_text(t, name, s, strlen(s));
}

/* ------------------------------------------------------------------------- JSON */

static void new_line(struct tree *t)
{
	if (t->pretty)
		strbuf_addf(t->out, "\n%*s", 2 * t->depth, "");
}

/* Begins a value: writes a comma if one is needed, the indentation, and the name of the value. */
static void json_before(struct tree *t, const char *name)
{
	if (t->comma)
		strbuf_addc(t->out, ',');
	new_line(t);
	if (name)
		strbuf_addf(t->out, "\"%s\":%s", name, t->pretty ? " " : "");
	t->comma = true;
}

static bool is_list(enum tree_node n)
{
	return n == TREE_LIST || n == TREE_VALUES;
}

static void json_node_open(struct tree *t, enum tree_node n, const char *name)
{
	json_before(t, n == TREE_INSTANCE || n == TREE_LINE ? NULL : name);
	strbuf_addc(t->out, is_list(n) ? '[' : '{');
	t->depth++;
	t->comma = false;
}

static void json_node_close(struct tree *t, enum tree_node n, const char *name)
{
	(void)name;
	t->depth--;
	new_line(t);
	strbuf_addc(t->out, is_list(n) ? ']' : '}');
	t->comma = true;
}

static void json_leaf(struct tree *t, const char *name, const char *s, size_t n, bool number)
{
	struct json j = {t->out, false};

	json_before(t, t->values ? NULL : name);
	if (number)
		strbuf_add(t->out, s, n);
	else
		json_text(&j, s, n);
}

const struct tree_ops tree_json = {json_node_open, json_node_close, json_leaf};

/* -------------------------------------------------------------------- XML, HTML */

/* Appends text escaped for XML. Bytes and characters that XML forbids become U+FFFD. */
static void add_markup(struct strbuf *out, const char *s, size_t n)
{
	uint32_t cp = 0;

	for (size_t i = 0, k; i < n; i += k) {
		k = utf8_char((const unsigned char *)s + i, n - i, &cp);
		if (!k || (cp < ' ' && !strchr("\t\n\r", (int)cp)) || !cp || cp == 0xfffe ||
		    cp == 0xffff)
			strbuf_adds(out, "\xef\xbf\xbd");
		else if (cp == '\r' || (cp > '\r' && !visible_char(cp)))
			strbuf_addf(out, "&#%u;", (unsigned)cp);
		else if (cp == '<')
			strbuf_adds(out, "&lt;");
		else if (cp == '>')
			strbuf_adds(out, "&gt;");
		else if (cp == '&')
			strbuf_adds(out, "&amp;");
		else if (cp == '"')
			strbuf_adds(out, "&quot;");
		else
			strbuf_add(out, s + i, k);
		k += !k;
	}
}

static void xml_open(struct tree *t, enum tree_node n, const char *name)
{
	if (!is_list(n))
		strbuf_addf(t->out, "<%s>", name);
}

static void xml_close(struct tree *t, enum tree_node n, const char *name)
{
	if (!is_list(n))
		strbuf_addf(t->out, "</%s>", name);
}

static void xml_leaf(struct tree *t, const char *name, const char *s, size_t n, bool number)
{
	(void)number;
	if (!n) {
		strbuf_addf(t->out, "<%s/>", name);
		return;
	}
	strbuf_addf(t->out, "<%s>", name);
	add_markup(t->out, s, n);
	strbuf_addf(t->out, "</%s>", name);
}

const struct tree_ops tree_xml = {xml_open, xml_close, xml_leaf};

static void html_open(struct tree *t, enum tree_node n, const char *name)
{
	(void)name;
	if (n == TREE_LINE)
		strbuf_adds(t->out, "<div class=\"line\">");
}

static void html_close(struct tree *t, enum tree_node n, const char *name)
{
	(void)name;
	if (n == TREE_LINE)
		strbuf_adds(t->out, "</div>\n");
}

static void html_leaf(struct tree *t, const char *name, const char *s, size_t n, bool number)
{
	(void)number;
	strbuf_addf(t->out, "<div class=\"data\" data-tag=\"%s\">", name);
	add_markup(t->out, s, n);
	strbuf_adds(t->out, "</div>");
}

const struct tree_ops tree_html = {html_open, html_close, html_leaf};
