/*
 * errors.c - see errors.h.
 */
#include "cmd/errors.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "cmd/about/help.h"
#include "cmd/options.h"

int complain(int status, const char *fmt, ...)
{
	struct strbuf line = {0}; /* one write: lines of several processes do not mix */
	va_list ap;

	strbuf_adds(&line, "dtrace: ");
	va_start(ap, fmt);
	strbuf_vaddf(&line, fmt, ap);
	va_end(ap);
	strbuf_addc(&line, '\n');
	fputs(line.s, stderr);
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
	fprintf(stderr, "dtrace: %s", b.s);
	strbuf_release(&b);
	return EXIT_FATAL;
}

int misuse(void)
{
	usage(stderr);
	return EXIT_USAGE;
}
