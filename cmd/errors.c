/*
 * errors.c - see errors.h.
 */
#include "cmd/errors.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/diag.h"
#include "cmd/about/help.h"
#include "cmd/options.h"

int complain(int status, const char *fmt, ...)
{
	va_list ap;

	fputs("dtrace: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
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
