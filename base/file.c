/*
 * file.c - see file.h.
 */
#include "base/file.h"

#include <errno.h>

int file_read(FILE *f, struct strbuf *b)
{
	char buf[65536];
	size_t n;

	errno = 0;
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		strbuf_add(b, buf, n);
	strbuf_add(b, "", 0);
	return !ferror(f) ? 0 : errno ? errno : EIO;
}
