/* errors.c - prints messages. */
#include "cmd/errors.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "cmd/about/help.h"
#include "cmd/options.h"

void complain_text(const struct strbuf *text)
{
	struct strbuf b = {0};

	strbuf_adds(&b, "dtrace: ");
	visible_add_lines(&b, text->s, text->len);
	fputs(b.s, stderr);
	strbuf_release(&b);
}

int complain(int status, const char *fmt, ...)
{
	struct strbuf line = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&line, fmt, ap);
	va_end(ap);
	strbuf_addc(&line, '\n');
	complain_text(&line);
	strbuf_release(&line);
	return status;
}

int fatal_diag(const struct cmd_opts *o, const struct diag *d)
{
	struct strbuf b = {0};

	diag_text(d, o->errtags, &b);
	strbuf_addc(&b, '\n');
	if (!o->consumer.nohint)
		diag_help(d, &b);
	complain_text(&b);
	strbuf_release(&b);
	return EXIT_FATAL;
}

int misuse(void)
{
	usage(stderr);
	return EXIT_USAGE;
}
