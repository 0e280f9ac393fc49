/*
 * printf.h - print values with a format of the program's.
 */
#ifndef CONSUMER_VALUES_PRINTF_H
#define CONSUMER_VALUES_PRINTF_H

#include <stdbool.h>
#include <stdint.h>

#include "consumer/values/hist.h"
#include "ir/format.h"

struct agg_info;
struct datum;
struct resolver;
struct strbuf;

/* One aggregation's value, for %@. */
struct fmt_agg {
	const struct agg_info *ai;
	const void *value;
	int64_t normal;
};

/* Where conversions take their values from: each kind in its own order. */
struct fmt_args {
	const struct datum *arg; /* printf: the arguments; printa: the keys */
	uint32_t narg;
	const struct fmt_agg *agg;
	uint32_t nagg;             /* %@ repeats the last one */
	struct resolver *resolver; /* %I and %P ask there; NULL: they show numbers */
	struct hist_style style;   /* of histograms */
	bool raw; /* what the values hold stays as it is: no person reads the result */
};

/* Does a conversion show argument @i?  If not, it is a width or a precision. */
bool fmt_shows(const struct format *f, uint32_t i);

/*
 * What the conversion wants that shows argument @i; WANT_INT if that is a width, or there is none.
 */
enum conv_want fmt_wants(const struct format *f, uint32_t i);

/*
 * Appends @f filled in.  The compiler has checked that there are values for all of it.  Text
 * that is not the program's own is escaped as visible_add() does, unless @args->raw.
 */
void fmt_show(struct strbuf *out, const struct format *f, const struct fmt_args *args);

#endif
