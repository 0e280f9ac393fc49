/*
 * list.c - the table of all output formats.
 */
#include <string.h>

#include "consumer/oformat/oformat.h"

/*
 * The formats. Format NAME is the variable oformat_NAME, which is defined in the file of the
 * format.
 */
#define OFORMATS(F) \
	F(text) \
	F(json) \
	F(csv) \
	F(prometheus) \
	F(xo_json) \
	F(xml) \
	F(html) \
	F(folded) \
	F(flame) \
	F(heat) \
	F(heat_svg) \
	F(hist_svg) \
	F(time_svg)

#define DECLARE(name) extern const struct oformat_ops oformat_##name;
#define ROW(name) &oformat_##name,

OFORMATS(DECLARE)

static const struct oformat_ops *const oformats[] = {OFORMATS(ROW)};

const struct oformat_ops *oformat_at(unsigned n)
{
	return n < sizeof(oformats) / sizeof(*oformats) ? oformats[n] : NULL;
}

const struct oformat_ops *oformat_find(const char *name)
{
	for (size_t i = 0; i < sizeof(oformats) / sizeof(*oformats); i++)
		if (!strcmp(oformats[i]->name, name))
			return oformats[i];
	return NULL;
}
