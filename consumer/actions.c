/*
 * actions.c - performs the actions of a record when the record is shown. action_fns has a function
 * for each kind of action.
 */
#include "consumer/state.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/tables.h"
#include "consumer/symbols/usyms.h"
#include "consumer/values/datum.h"
#include "consumer/values/printf.h"
#include "ir/program.h"

bool action_is_reached(const struct record *rec, const struct action_info *act)
{
	return !act->when || ((const char *)rec)[act->when];
}

static uint64_t first_number(struct consumer *c, const struct record *rec,
			     const struct action_info *act, uint64_t otherwise)
{
	if (!act->nfield)
		return otherwise;
	datum_read(c->p, &act->field[0], rec, &c->print.arg[0]);
	return c->print.arg[0].num;
}

static void do_nothing(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	(void)c, (void)rec, (void)act;
}

static void do_trace(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	datum_read(c->p, &act->field[0], rec, &c->print.arg[0]);
	c->print.oformat->ops->value(c->print.oformat, &c->print.arg[0]);
}

/*
 * Shows the memory of tracemem(address, size, limit). The first field of @act is the memory. The
 * second field, if there is one, is the limit: the maximum number of bytes to show, which may be 0.
 */
static void do_tracemem(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	const struct datum *d = &c->print.arg[0];
	size_t n;

	datum_read(c->p, &act->field[0], rec, &c->print.arg[0]);
	n = d->size;
	if (act->nfield > 1) {
		datum_read(c->p, &act->field[1], rec, &c->print.arg[1]);
		if (c->print.arg[1].num < n)
			n = c->print.arg[1].num;
	}
	if (n)
		c->print.oformat->ops->bytes(c->print.oformat, d->s, n);
}

static void read_fields(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	for (uint32_t i = 0; i < act->nfield; i++)
		datum_read(c->p, &act->field[i], rec, &c->print.arg[i]);
}

static void do_print(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	const struct field *f = &act->field[0];
	struct datum *d = &c->print.arg[0];

	if (f->kind != FIELD_STRING) {
		c->print.oformat->ops->shape(c->print.oformat, act->shape,
					     (const char *)rec + f->off);
		return;
	}
	datum_read(c->p, f, rec, d);
	c->print.oformat->ops->string(c->print.oformat, act->shape, d);
}

static void do_printf(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	read_fields(c, rec, act);
	c->print.oformat->ops->message(c->print.oformat, act->fmt,
				       &(struct fmt_args){.arg = c->print.arg,
							  .narg = act->nfield,
							  .resolver = consumer_resolver(&c->o),
							  .raw = c->print.oformat->ops->escapes});
}

static bool removes(const struct action_info *act, uint32_t agg)
{
	return (act->kind == ACT_CLEAR || act->kind == ACT_TRUNC) && act->agg[0] == agg;
}

/*
 * Returns whether clear() or trunc() of @agg follows @act later in the same firing, perhaps in
 * another clause of the probe. Then printa() freezes the aggregation, so that both actions work on
 * the same snapshot.
 */
static bool is_removed_later(const struct consumer *c, uint32_t epid, const struct action_info *act,
			     uint32_t agg)
{
	const struct clause_info *first = &c->p->clause[epid - 1];
	uint32_t from = (uint32_t)(act - first->act) + 1;

	for (uint32_t k = epid - 1; k < c->p->nclause; k++, from = 0) {
		const struct clause_info *ci = &c->p->clause[k];

		for (uint32_t i = from; ci->probe == first->probe && i < ci->nact; i++)
			if (removes(&ci->act[i], agg))
				return true;
	}
	return false;
}

static void do_printa(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	usyms_window(0); /* keys may be older than the record */
	for (uint32_t i = 0; i < act->nagg; i++)
		if (is_removed_later(c, rec->epid, act, act->agg[i]))
			aggs_freeze(c->aggs, act->agg[i]);
	aggs_show(c->aggs, act->agg, act->nagg, act->fmt, c->print.oformat);
}

static void do_clear(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	(void)rec;
	aggs_clear(c->aggs, act->agg[0]);
}

static void do_trunc(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	aggs_trunc(c->aggs, act->agg[0], (int64_t)first_number(c, rec, act, 0));
}

static void do_normalize(struct consumer *c, const struct record *rec,
			 const struct action_info *act)
{
	aggs_normalize(c->aggs, act->agg[0], (int64_t)first_number(c, rec, act, 1));
}

static void do_denormalize(struct consumer *c, const struct record *rec,
			   const struct action_info *act)
{
	(void)rec;
	aggs_normalize(c->aggs, act->agg[0], 1);
}

static void do_exit(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	c->status = (int)first_number(c, rec, act, 0);
	c->exited = true;
	c->sink.done = true;
}

static void set_option(struct consumer *c, const struct record *rec, const char *name,
		       const char *value)
{
	int res = consumer_setopt(&c->o, name, value);
	char *name_text, *value_text;

	/* a replay resolves no names, because its output must depend on the capture alone */
	c->o.resolve &= !c->src->recorded;
	if (!res)
		return;
	/* a process may have chosen the texts, for example as its execname */
	name_text = visible_copy(name);
	value_text = visible_copy(value ? value : "1"); /* DTrace prints 1 if there is no value */
	fault_where(consumer_err(c), c->p, rec->epid);
	fprintf(c->o.err, "couldn't set option \"%s\" to \"%s\": %s\n", name_text, value_text,
		res == OPTION_UNKNOWN && c->o.is_static && c->o.is_static(name)
			? "Operation illegal when tracing is active"
			: option_strerror(res));
	xfree(name_text);
	xfree(value_text);
}

/*
 * Returns field @i of the record as a string, or NULL if the action has no such field. The caller
 * frees the string with xfree().
 */
static char *field_text(struct consumer *c, const struct record *rec, const struct action_info *act,
			uint32_t i)
{
	struct strbuf b = {0};

	if (i >= act->nfield)
		return NULL;
	datum_read(c->p, &act->field[i], rec, &c->print.arg[i]);
	strbuf_add(&b, c->print.arg[i].s, c->print.arg[i].len);
	return b.s;
}

static void do_setopt(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	char *name = field_text(c, rec, act, 0), *value = field_text(c, rec, act, 1);

	set_option(c, rec, name ? name : act->str, name ? value : act->str2);
	xfree(name);
	xfree(value);
}

/*
 * Reports that an action failed: couldn't WHAT "NAME": reason. @error is an error for file_error().
 * If @name is NULL, the message has the text that @act formats, which is a command or a file name.
 */
static void report_failure(struct consumer *c, const struct record *rec,
			   const struct action_info *act, const char *what, const char *name,
			   int error)
{
	char *text, *shown;

	text = name ? NULL : outside_text(c->p, &c->o, rec, act);
	shown = visible_copy(name ? name : text);
	fault_where(consumer_err(c), c->p, rec->epid);
	fprintf(c->o.err, "couldn't %s \"%s\": %s\n", what, shown, file_error(error));
	xfree(shown);
	xfree(text);
}

static void do_system(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	int error;

	consumer_yield_output(c);
	error = outside_command(c->outside, rec, act);
	if (error)
		report_failure(c, rec, act, "run", NULL, error);
}

static void do_freopen(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	int fd = -1, error;

	records_end(c);
	consumer_flush(c);
	packets_new_file(&c->packets);
	error = outside_reopen(c->outside, rec, act, &fd);
	if (!error)
		error = output_redirect(&c->print.out, fd);
	if (error)
		report_failure(c, rec, act, "freopen()", act->fmt ? NULL : "", error);
}

/*
 * Writes the packet to a capture file if freopen() has named one. Otherwise the output format shows
 * the packet. If the format cannot show packets, tshark shows it.
 */
static void do_pcap(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	struct recorded_packet pk;
	int error;

	packet_read(c->p, rec, act, &pk);
	consumer_flush(c);
	if (c->print.out.reopened) {
		packets_write(&c->packets, &c->print.out.buf, &pk);
		return;
	}
	if (c->print.oformat->ops->packet) {
		c->print.oformat->ops->packet(c->print.oformat, pk.slot);
		return;
	}
	consumer_yield_output(c);
	error = packets_show(&c->packets, c->outside, &pk);
	if (error)
		report_failure(c, rec, act, "run", "tshark", error);
}

/*
 * Writes the packet to the file of -x capture. Several clauses can fire for one packet, and only
 * the first of them writes it.
 */
static void do_capture(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	struct recorded_packet pk;

	packet_read(c->p, rec, act, &pk);
	if (!pk.slot->len || (c->print.same_firing && pk.slot->time == c->capture.last))
		return;
	c->capture.last = pk.slot->time;
	pcapng_add(&c->capture.file, &c->capture.out.buf, pk.slot, &pk.about);
	output_spill(&c->capture.out);
}

static void do_ftruncate(struct consumer *c, const struct record *rec,
			 const struct action_info *act)
{
	(void)rec, (void)act;
	consumer_flush(c);
	output_truncate(&c->print.out);
}

typedef void action_fn(struct consumer *c, const struct record *rec, const struct action_info *act);

/* clang-format off */
static action_fn *const action_fns[] = {
    [ACT_DEFAULT] = do_nothing,     [ACT_TRACE] = do_trace,
    [ACT_STACK] = do_trace,         [ACT_TRACEMEM] = do_tracemem,
    [ACT_PRINT] = do_print,
    [ACT_PRINTF] = do_printf,       [ACT_PRINTA] = do_printa,
    [ACT_CLEAR] = do_clear,         [ACT_TRUNC] = do_trunc,
    [ACT_NORMALIZE] = do_normalize, [ACT_DENORMALIZE] = do_denormalize,
    [ACT_EXIT] = do_exit,           [ACT_SETOPT] = do_setopt,
    [ACT_SYSTEM] = do_system,       [ACT_FREOPEN] = do_freopen,
    [ACT_FTRUNCATE] = do_ftruncate, [ACT_PCAP] = do_pcap,
    [ACT_CAPTURE] = do_capture,
    [ACT_SPECULATE] = do_nothing,    [ACT_SAMPLE] = do_nothing,
};
/* clang-format on */

void action_run(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	action_fns[act->kind](c, rec, act);
}
