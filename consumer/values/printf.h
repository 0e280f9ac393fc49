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

/* The value of one aggregation, for the conversion %@. */
struct fmt_agg {
	const struct agg_info *ai;
	const void *value;
	int64_t normal; /* divisor that normalize() set */
};

/* The values to format. */
struct fmt_args {
	/* the arguments of printf(), or for printa() the fields of the key */
	const struct datum *arg;
	uint32_t narg;
	/* one aggregation for each conversion %@, in order; further conversions use the last one */
	const struct fmt_agg *agg;
	uint32_t nagg;
	/* resolver for %I and %P, or NULL if they print addresses and numbers */
	struct resolver *resolver;
	struct hist_style style; /* options for histograms */
	/* text is not escaped: the output format escapes it, or no terminal shows it */
	bool raw;
};

/*
 * Returns whether a conversion prints argument @i. Returns false if the argument is a width or a
 * precision.
 */
bool fmt_shows(const struct format *f, uint32_t i);

/*
 * Returns the kind of value that the conversion for argument @i needs. Returns WANT_INT for a width
 * or a precision, and if there is no argument @i.
 */
enum conv_want fmt_wants(const struct format *f, uint32_t i);

/*
 * Appends the text that the format @f makes of the values in @args. The compiler has checked that
 * there are enough values. Text that is not a literal of the program is escaped as by
 * visible_add(), unless @args->raw is set.
 */
void fmt_show(struct strbuf *out, const struct format *f, const struct fmt_args *args);

#endif
