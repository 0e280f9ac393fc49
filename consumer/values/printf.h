/*
 * printf.h - formats values for printf() and printa().
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

/* The value of one aggregation, for %@. */
struct fmt_agg {
	const struct agg_info *ai;
	const void *value;
	int64_t normal; /* divisor that normalize() set */
};

/* The values to format. */
struct fmt_args {
	const struct datum *arg; /* printf(): the arguments; printa(): the fields of the key */
	uint32_t narg;
	const struct fmt_agg *agg; /* in the order of %@; the last one is repeated */
	uint32_t nagg;
	struct resolver *resolver; /* for %I and %P; NULL: they print addresses and numbers */
	struct hist_style style;   /* of histograms */
	bool raw;                  /* do not escape text: no terminal shows the result */
};

/*
 * Returns whether a conversion prints argument @i; false if the argument is a width or a precision.
 */
bool fmt_shows(const struct format *f, uint32_t i);

/*
 * Returns the kind of value that the conversion for argument @i takes.  Returns WANT_INT for a
 * width or a precision, and if there is no such argument.
 */
enum conv_want fmt_wants(const struct format *f, uint32_t i);

/*
 * Appends the format @f with the values in @args.  The compiler has checked that there are enough
 * values.  Text that is no literal of the program is escaped as visible_add() does, unless
 * @args->raw.
 */
void fmt_show(struct strbuf *out, const struct format *f, const struct fmt_args *args);

#endif
