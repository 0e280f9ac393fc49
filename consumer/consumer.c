/*
 * consumer.c - runs a source and prints what comes out of it.
 *
 * Owns the order of things: lines, actions in them, faults, when output is
 * written.  How values look is printf.c's and datum.c's business, aggregations
 * are aggs.c's.
 */
#include "consumer/consumer.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/tables.h"
#include "consumer/values/datum.h"
#include "consumer/fault.h"
#include "consumer/footer.h"
#include "consumer/oformat/oformat.h"
#include "consumer/hold.h"
#include "consumer/symbols/ksyms.h"
#include "consumer/loss.h"
#include "consumer/values/resolver.h"
#include "consumer/packets.h"
#include "consumer/oformat/prom.h"
#include "consumer/aggs/series.h"
#include "consumer/serve/serve.h"
#include "consumer/aggs/snapshots.h"
#include "consumer/output.h"
#include "consumer/outside.h"
#include "consumer/values/printf.h"
#include "consumer/spec.h"
#include "consumer/symbols/usyms.h"
#include "consumer/screen/view.h"
#include "engine/source.h"
#include "ir/program.h"
#include "procinfo/owner.h"
#include "procinfo/watch.h"

#define ANSWER_NS 10000000u
#define SNAPSHOT_LATE_NS 50000000u /* by how much one may be */
#define STATUS_LOST 3              /* with -x strict */
#define HOLD_BYTES (4u << 20)      /* of each CPU, with bufpolicy=ring or fill */

/* What is known of a probe in advance. */
struct probe_is {
	bool at_end;  /* END and ERROR: the probes that fire after exit() */
	bool counted; /* its records are those of -x count */
	bool error;
};

struct consumer {
	const struct program *p;
	struct source *src;
	struct consumer_opts o;
	struct record_sink sink;
	struct aggs *aggs;
	struct loss loss;
	struct faults faults;
	struct prom *prom;
	bool viewing;          /* the screen is -x view's */
	struct series *series; /* NULL: nobody looks at aggregations as time goes by */
	uint64_t answered;     /* ns */
	struct specs *specs;
	struct resolver resolver;
	struct packets packets;
	struct outside_self self;
	struct outside outside; /* who runs commands and opens files */
	bool outside_gone;      /* it ended, and so does the run */
	struct pcapng capture;  /* -x capture */
	struct output capture_out;
	uint64_t epoch;              /* when the run began */
	int aggout_error;            /* errno; 0: none */
	uint64_t nsnapshot, snapped; /* how many there were, and when the last was, ns */
	uint64_t captured;           /* walltimestamp of the last packet that went there */
	struct hold *hold;           /* records that are shown at the end; NULL: each at once */
	struct output out;
	struct oformat *oformat; /* that it has */
	struct probe_is *is;     /* by probe */
	struct datum *arg;       /* as many as the widest action has */
	uint32_t narg;
	bool ended; /* the record being shown is, as far as its form is concerned */
	bool exited;
	struct record last; /* the last record */
	bool same_firing;   /* is the one being shown of the same firing? */
	int status;
	uint64_t polled;   /* ns */
	uint64_t ncounted; /* records, of those that -x count counts */
};

/* --------------------------------------------------------------------- output */

static void flush(struct consumer *c)
{
	output_flush(&c->out);
	output_flush(&c->capture_out);
	c->sink.done |= c->out.broken || c->capture_out.broken;
}

/* Others write to where output goes, too. */
static void step_aside(struct consumer *c)
{
	if (c->oformat->ops->pause)
		c->oformat->ops->pause(c->oformat);
	flush(c);
}

/* Before anything goes to err: on a terminal both are one stream. */
static FILE *err(struct consumer *c)
{
	flush(c);
	return c->o.err;
}

/* -------------------------------------------------------------------- actions */

static bool reached(const struct record *rec, const struct action_info *act)
{
	return !act->when || ((const char *)rec)[act->when];
}

static uint64_t first_number(struct consumer *c, const struct record *rec,
			     const struct action_info *act, uint64_t otherwise)
{
	if (!act->nfield)
		return otherwise;
	datum_read(c->p, &act->field[0], rec, &c->arg[0]);
	return c->arg[0].num;
}

static void do_nothing(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	(void)c, (void)rec, (void)act;
}

static void do_trace(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	datum_read(c->p, &act->field[0], rec, &c->arg[0]);
	c->oformat->ops->value(c->oformat, &c->arg[0]);
}

/* As many bytes as the program says, if it says so and has them; none if it says none. */
static void do_tracemem(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	const struct datum *d = &c->arg[0];
	size_t n;

	datum_read(c->p, &act->field[0], rec, &c->arg[0]);
	n = d->size;
	if (act->nfield > 1) {
		datum_read(c->p, &act->field[1], rec, &c->arg[1]);
		if (c->arg[1].num < n)
			n = c->arg[1].num;
	}
	if (n)
		c->oformat->ops->bytes(c->oformat, d->s, n);
}

static void read_fields(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	for (uint32_t i = 0; i < act->nfield; i++)
		datum_read(c->p, &act->field[i], rec, &c->arg[i]);
}

static void do_print(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	const struct field *f = &act->field[0];
	struct datum *d = &c->arg[0];

	if (f->kind != FIELD_STRING) {
		c->oformat->ops->shape(c->oformat, act->shape, (const char *)rec + f->off);
		return;
	}
	datum_read(c->p, f, rec, d);
	c->oformat->ops->string(c->oformat, act->shape, d);
}

static void do_printf(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	read_fields(c, rec, act);
	c->oformat->ops->message(c->oformat, act->fmt,
				 &(struct fmt_args){.arg = c->arg,
						    .narg = act->nfield,
						    .resolver = consumer_resolver(&c->o),
						    .raw = c->oformat->ops->escapes});
}

static bool takes(const struct action_info *act, uint32_t agg)
{
	return (act->kind == ACT_CLEAR || act->kind == ACT_TRUNC) && act->agg[0] == agg;
}

/* Will a later action of the same firing take what @act prints of @agg? */
static bool is_taken(const struct consumer *c, uint32_t epid, const struct action_info *act,
		     uint32_t agg)
{
	const struct clause_info *ci = &c->p->clause[epid - 1];
	uint32_t probe = ci->probe;

	for (uint32_t i = (uint32_t)(act - ci->act) + 1; i < ci->nact; i++)
		if (takes(&ci->act[i], agg))
			return true;
	for (uint32_t k = epid; k < c->p->nclause; k++) {
		ci = &c->p->clause[k];
		for (uint32_t i = 0; ci->probe == probe && i < ci->nact; i++)
			if (takes(&ci->act[i], agg))
				return true;
	}
	return false;
}

static void do_printa(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	for (uint32_t i = 0; i < act->nagg; i++)
		if (is_taken(c, rec->epid, act, act->agg[i]))
			aggs_freeze(c->aggs, act->agg[i]);
	aggs_show(c->aggs, act->agg, act->nagg, act->fmt, c->oformat);
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

/* After exit() only END and ERROR are shown; what other CPUs were about to fire is not. */
static bool shown(const struct consumer *c, uint32_t epid)
{
	return !c->exited || c->is[c->p->clause[epid - 1].probe].at_end;
}

static void set_option(struct consumer *c, const struct record *rec, const char *name,
		       const char *value)
{
	int res = consumer_setopt(&c->o, name, value);

	c->o.resolve &= !c->src->recorded; /* output depends on the file alone */
	if (!res)
		return;
	fault_where(err(c), c->p, rec->epid);
	fprintf(c->o.err, "couldn't set option \"%s\" to \"%s\": %s\n", name,
		value ? value : "1", /* what DTrace takes for none */
		res == OPTION_UNKNOWN && c->o.is_static && c->o.is_static(name)
			? "Operation illegal when tracing is active"
			: option_strerror(res));
}

/* Field @i of the record as a text of its own, NULL if there is none. */
static char *field_text(struct consumer *c, const struct record *rec, const struct action_info *act,
			uint32_t i)
{
	struct strbuf b = {0};

	if (i >= act->nfield)
		return NULL;
	datum_read(c->p, &act->field[i], rec, &c->arg[i]);
	strbuf_add(&b, c->arg[i].s, c->arg[i].len);
	return b.s;
}

static void do_setopt(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	char *name = field_text(c, rec, act, 0), *value = field_text(c, rec, act, 1);

	set_option(c, rec, name ? name : act->str, name ? value : act->str2);
	xfree(name);
	xfree(value);
}

/* @error: of struct outside_ops.  @name: what it is about; NULL: what the format of @act makes. */
static void failed(struct consumer *c, const struct record *rec, const struct action_info *act,
		   const char *what, const char *name, int error)
{
	char *text;

	if (error == OUTSIDE_GONE) {
		c->outside_gone = c->sink.done = true;
		return;
	}
	text = name ? NULL : outside_text(c->p, &c->o, rec, act);
	fault_where(err(c), c->p, rec->epid);
	fprintf(c->o.err, "couldn't %s \"%s\": %s\n", what, name ? name : text, file_error(error));
	xfree(text);
}

/* What was printed before comes before what the command prints. */
static void do_system(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	int error;

	step_aside(c);
	error = c->outside.ops->command(c->outside.ctx, rec, act);
	if (error)
		failed(c, rec, act, "run", NULL, error);
}

/* A record that was begun ends where it began. */
static void end_record(struct consumer *c)
{
	if (!c->ended && !c->packets.in_file)
		c->oformat->ops->record_end(c->oformat);
	c->ended = true;
}

static void do_freopen(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	int fd = -1, error;

	end_record(c);
	flush(c);
	packets_new_file(&c->packets);
	error = c->outside.ops->reopen(c->outside.ctx, rec, act, &fd);
	if (!error)
		error = output_redirect(&c->out, fd);
	if (error)
		failed(c, rec, act, "freopen()", act->fmt ? NULL : "", error);
	if (fd >= 0)
		close(fd);
}

/* What freopen() named becomes a capture file; anywhere else it is text that is wanted. */
static void do_pcap(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	struct packet_seen pk;
	int error;

	packet_read(c->p, rec, act, &pk);
	flush(c);
	if (c->out.reopened) {
		packets_write(&c->packets, &c->out.buf, &pk);
		return;
	}
	if (c->oformat->ops->packet) {
		c->oformat->ops->packet(c->oformat, pk.slot);
		return;
	}
	step_aside(c);
	error = packets_show(&c->packets, &c->outside, rec, act, &pk);
	if (error)
		failed(c, rec, act, "run", "tshark", error);
}

/* Of a packet whose firing runs several clauses the first is enough. */
static void do_capture(struct consumer *c, const struct record *rec, const struct action_info *act)
{
	struct packet_seen pk;

	packet_read(c->p, rec, act, &pk);
	if (!pk.slot->len || (c->same_firing && pk.slot->time == c->captured))
		return;
	c->captured = pk.slot->time;
	pcapng_add(&c->capture, &c->capture_out.buf, pk.slot, &pk.about);
	output_spill(&c->capture_out);
}

static void do_ftruncate(struct consumer *c, const struct record *rec,
			 const struct action_info *act)
{
	(void)rec, (void)act;
	flush(c);
	output_truncate(&c->out);
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

/* --------------------------------------------------------------------- faults */

/* If there are ERROR clauses, their records follow. */
static void on_fault(struct consumer *c, const struct fault_record *f)
{
	const struct probe_is *is;

	if (!f->clause || f->clause > c->p->nclause)
		BUG("a fault in clause %u of %u", f->clause, c->p->nclause);
	is = &c->is[c->p->clause[f->clause - 1].probe];
	if (!shown(c, f->clause))
		return;
	if (is->error) { /* ERROR does not fire for itself */
		c->loss.dblerrors++;
		return;
	}
	c->loss.faults++;
	flush(c); /* on a terminal both are one stream */
	faults_take(&c->faults, f);
}

/* -------------------------------------------------------------------- records */

/* A later clause of the firing that the last record came from? */
static bool of_last_firing(const struct consumer *c, const struct record *rec, uint32_t probe)
{
	return c->last.epid && c->last.epid < rec->epid && c->last.cpu == rec->cpu &&
	       c->p->clause[c->last.epid - 1].probe == probe;
}

/* Would text spoil the capture file that output is, or is to be? */
static bool spoils(const struct consumer *c, const struct clause_info *ci)
{
	for (uint32_t i = 0; c->out.reopened && i < ci->nact; i++)
		if (ci->act[i].kind == ACT_PCAP)
			return true;
	return c->packets.in_file;
}

static void begin_record(struct consumer *c, const struct clause_info *ci, const struct record *rec)
{
	struct oformat_record r = {.probe = ci->probe, .epid = rec->epid, .cpu = rec->cpu};

	if (ci->time)
		memcpy(&r.time, (const char *)rec + ci->time, sizeof(r.time));
	c->oformat->ops->record(c->oformat, &r);
}

/* Is there nothing but a packet for the file of -x capture? */
static bool only_captures(const struct clause_info *ci)
{
	return ci->nact == 1 && ci->act[0].kind == ACT_CAPTURE;
}

static void show_record(void *ctx, const struct record *rec)
{
	struct consumer *c = ctx;
	const struct clause_info *ci = &c->p->clause[rec->epid - 1];

	c->loss.records++;
	c->same_firing = of_last_firing(c, rec, ci->probe);
	if (!c->same_firing)
		aggs_thaw(c->aggs);
	c->last = *rec;
	c->ended = spoils(c, ci) || only_captures(ci);
	if (!c->ended)
		begin_record(c, ci, rec);
	for (uint32_t i = 0; i < ci->nact; i++)
		if (reached(rec, &ci->act[i]))
			action_fns[ci->act[i].kind](c, rec, &ci->act[i]);
	end_record(c);
	output_spill(&c->out);
	c->sink.done |= c->out.broken || c->capture_out.broken;
}

/* Of a record that is held, exit() alone is carried out at once. */
static void hold_record(struct consumer *c, const struct record *rec)
{
	const struct clause_info *ci = &c->p->clause[rec->epid - 1];

	if (!hold_add(c->hold, rec, ci->rec_size, c->is[ci->probe].at_end)) {
		loss_refuse(&c->loss, rec->cpu);
		c->sink.done = true;
		return;
	}
	for (uint32_t i = 0; i < ci->nact; i++)
		if (ci->act[i].kind == ACT_EXIT && reached(rec, &ci->act[i]))
			do_exit(c, rec, &ci->act[i]);
}

static bool is_sample(const struct clause_info *ci)
{
	return ci->nact == 1 && ci->act[0].kind == ACT_SAMPLE;
}

/* What aggregations grew by, to whoever shows that. */
static void sample(struct consumer *c, uint64_t time)
{
	series_sample(c->series, time);
	if (c->oformat->ops->sample)
		c->oformat->ops->sample(c->oformat, c->series, time);
	if (!c->viewing)
		return;
	view_sample(c->o.view, c->aggs, c->series, time);
	c->sink.done |= !view_keys(c->o.view);
}

/* A view shows each sample. */
static bool is_due(const struct consumer *c, uint64_t time)
{
	return c->o.view || !c->oformat->ops->due || c->oformat->ops->due(c->oformat, time);
}

/* Where samples begin. */
static void first_sample(struct consumer *c)
{
	if (!c->oformat->ops->sample && !c->o.view)
		return;
	c->series = series_new(c->aggs, c->o.view ? NULL : c->oformat->ops->samples, c->o.view);
	if (c->oformat->ops->sample)
		c->oformat->ops->sample(c->oformat, NULL, oformat_now(c->oformat));
	if (c->o.view)
		view_sample(c->o.view, c->aggs, NULL, oformat_now(c->oformat));
}

static void take_record(void *ctx, const struct record *rec)
{
	struct consumer *c = ctx;
	const struct clause_info *ci = &c->p->clause[rec->epid - 1];
	uint64_t time = 0;
	bool counted = c->is[ci->probe].counted;

	if (is_sample(ci)) {
		memcpy(&time, (const char *)rec + ci->time, sizeof(time));
		if (c->series && is_due(c, time))
			sample(c, time);
		return;
	}
	/* no more are wanted */
	if (c->out.broken || (counted && c->o.count && c->ncounted == c->o.count))
		return;
	if (c->hold)
		hold_record(c, rec);
	else
		show_record(c, rec);
	if (counted && ++c->ncounted == c->o.count)
		c->exited = c->sink.done = true;
}

/* The speculation that the record belongs to; NULL: it is shown at once. */
static const struct spec_id *spec_of(const struct clause_info *ci, const struct record *rec)
{
	const struct spec_id *s = ci->spec ? (const struct spec_id *)((const char *)rec + ci->spec)
					   : NULL;

	return s && s->id ? s : NULL;
}

static void end_spec(struct consumer *c, const struct spec_record *rec)
{
	if (rec->commit)
		specs_commit(c->specs, &rec->spec, take_record, c);
	else
		specs_discard(c->specs, &rec->spec);
}

static void on_clause(struct consumer *c, const struct record *rec, size_t size)
{
	const struct clause_info *ci;
	const struct spec_id *spec;

	if (rec->epid > c->p->nclause)
		BUG("a record of clause %u of %u", rec->epid, c->p->nclause);
	ci = &c->p->clause[rec->epid - 1];
	if (size < ci->rec_size)
		BUG("a record of %zu bytes, %u expected", size, ci->rec_size);
	if (!shown(c, rec->epid)) /* what was speculated before exit(), END may commit */
		return;
	spec = spec_of(ci, rec);
	if (!spec)
		take_record(c, rec);
	else if (!specs_keep(c->specs, spec, rec, ci->rec_size))
		c->loss.spec_drops++;
}

static void need_size(const struct record *rec, size_t size, size_t wanted)
{
	if (size < wanted)
		BUG("a record %u of %zu bytes", rec->epid, size);
}

static void on_record(void *ctx, const struct record *rec, size_t size)
{
	struct consumer *c = ctx;

	switch (rec->epid) {
	case 0:
		need_size(rec, size, sizeof(struct fault_record));
		on_fault(c, (const struct fault_record *)rec);
		break;
	case EPID_SPEC:
		need_size(rec, size, sizeof(struct spec_record));
		end_spec(c, (const struct spec_record *)rec);
		break;
	default:
		on_clause(c, rec, size);
		break;
	}
}

/* ------------------------------------------------------------------ life cycle */

/* BEGIN, END, ERROR and ticks tell of no event. */
static bool is_counted(const struct probe_info *pi)
{
	return strcmp(pi->prov, "dtrace") && strncmp(pi->name, "tick-", 5);
}

bool consumer_can_count(const struct program *p)
{
	for (uint32_t i = 0; i < p->nclause; i++)
		if (p->clause[i].nact && is_counted(&p->probe[p->clause[i].probe]))
			return true;
	return false;
}

static void init_probes(struct consumer *c)
{
	c->is = xcalloc(c->p->nprobe + 1, sizeof(*c->is));
	for (uint32_t i = 0; i < c->p->nprobe; i++) {
		const struct probe_info *pi = &c->p->probe[i];
		struct probe_is *is = &c->is[i];
		bool ours = !strcmp(pi->prov, "dtrace");

		is->error = ours && !strcmp(pi->name, "ERROR");
		is->at_end = is->error || (ours && !strcmp(pi->name, "END"));
		is->counted = is_counted(pi);
	}
}

static void init_args(struct consumer *c)
{
	c->narg = 1;
	for (uint32_t i = 0; i < c->p->nclause; i++)
		for (uint32_t j = 0; j < c->p->clause[i].nact; j++)
			if (c->p->clause[i].act[j].nfield > c->narg)
				c->narg = c->p->clause[i].act[j].nfield;
	c->arg = xcalloc(c->narg, sizeof(*c->arg));
}

struct consumer *consumer_new(const struct program *p, struct source *src,
			      const struct consumer_opts *o)
{
	struct consumer *c = xcalloc(1, sizeof(*c));

	c->p = p;
	c->src = src;
	c->o = *o;
	c->out.f = o->out;
	c->capture_out.f = o->capture;
	if (o->capture)
		pcapng_begin(&c->capture, &c->capture_out.buf);
	c->o.resolver = &c->resolver;
	c->self = (struct outside_self){.p = p, .o = &c->o};
	c->outside = o->outside ? *o->outside : (struct outside){&outside_self, &c->self};
	if (o->bufpolicy && strcmp(o->bufpolicy, "switch"))
		c->hold = hold_new(!strcmp(o->bufpolicy, "ring"),
				   o->bufsize ? o->bufsize : HOLD_BYTES);
	c->o.resolve &= !c->src->recorded;
	c->sink = (struct record_sink){.record = on_record, .ctx = c};
	if (src->recorded)
		ksyms_forget("/dev/null"); /* a capture is not of this kernel */
	c->aggs = aggs_new(p, src);
	c->specs = specs_new(o->specsize);
	loss_init(&c->loss, p, src);
	init_probes(c);
	init_args(c);
	c->faults = (struct faults){.src = src, .o = &c->o, .p = p};
	c->oformat = oformat_new(c->o.oformat ? c->o.oformat : oformat_find("text"), &c->out, &c->o,
				 p, src);
	c->faults.oformat = c->oformat;
	c->prom = prom_new(c->aggs, &c->loss);
	c->oformat->prom = c->prom;
	return c;
}

void consumer_free(struct consumer *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->narg; i++)
		datum_release(&c->arg[i]);
	xfree(c->is);
	oformat_free(c->oformat);
	xfree(c->arg);
	ksyms_forget(NULL);
	owner_release();
	output_release(&c->out);
	output_release(&c->capture_out);
	hold_free(c->hold);
	resolver_release(&c->resolver);
	loss_release(&c->loss);
	faults_release(&c->faults);
	prom_free(c->prom);
	series_free(c->series);
	aggs_free(c->aggs);
	specs_free(c->specs);
	xfree(c);
}

int consumer_status(const struct consumer *c)
{
	return c->status;
}

/* --------------------------------------------------------------------- running */

/*
 * Once a second: what was lost, and old aggregation entries.  Not in replay:
 * what is said there must not depend on how fast we are.
 */
static void poll_status(struct consumer *c)
{
	uint64_t now = now_monotonic();

	if (c->src->recorded || now - c->polled < 1000000000u)
		return;
	c->polled = now;
	aggs_thaw(c->aggs);
	aggs_sweep(c->aggs);
	watch_drain();
	aggs_remember_processes(c->aggs);
	faults_tell(&c->faults, false);
	loss_tell(&c->loss, &c->o, c->oformat);
}

/* -x aggout */
static void write_aggregations(struct consumer *c)
{
	const struct aggfile_id id = {.program = c->o.agg_program,
				      .host = c->o.agg_host,
				      .run = c->o.agg_run,
				      .epoch = c->epoch,
				      .sequence = ++c->nsnapshot,
				      .time = oformat_now(c->oformat),
				      .matched = c->o.agg_matched};
	struct strbuf b = {0};

	aggfile_write(&b, c->aggs, &c->loss, &id);
	if (c->o.snapshots)
		c->aggout_error = snapshots_put(c->o.snapshots, b.s, b.len);
	else if (fwrite(b.s, 1, b.len, c->o.aggout) != b.len || fflush(c->o.aggout))
		c->aggout_error = errno;
	strbuf_release(&b);
}

/* -x aggoutrate: by the clock, in replay too, since it is others who look at the file. */
static void snapshot(struct consumer *c)
{
	uint64_t now;

	if (!c->o.aggout_rate)
		return;
	now = now_monotonic();
	if (c->nsnapshot && now - c->snapped < c->o.aggout_rate)
		return;
	c->snapped = now;
	write_aggregations(c);
}

static void metrics(void *ctx, struct strbuf *out)
{
	struct consumer *c = ctx;

	prom_write(c->prom, (uint64_t)c->o.promkeys, out);
}

/* Not after every batch of a capture: asking whether somebody has asked takes a while, too. */
static void answer(struct consumer *c)
{
	uint64_t now;

	if (!c->o.serve)
		return;
	now = now_monotonic();
	if (c->src->recorded && now - c->answered < ANSWER_NS)
		return;
	c->answered = now;
	serve_answer(c->o.serve, metrics, c);
}

/* A capture has been read: what came out of it is there to be asked for until the user ends it. */
static void answer_on(struct consumer *c, volatile sig_atomic_t *interrupted)
{
	struct pollfd p = {.fd = serve_fd(c->o.serve), .events = POLLIN};

	while (!*interrupted) {
		poll(&p, 1, 1000);
		serve_answer(c->o.serve, metrics, c);
	}
}

/* What goes to the terminal meanwhile is not seen, and is not kept. */
static void begin_view(struct consumer *c, volatile sig_atomic_t *interrupted)
{
	if (!c->o.view)
		return;
	flush(c);
	c->out.hidden = isatty(fileno(c->out.f));
	view_begin(c->o.view, c->p, &c->o, c->src->recorded, interrupted);
	c->viewing = true;
}

/* What was not seen is shown at the end. */
static void end_view(struct consumer *c)
{
	if (!c->viewing)
		return;
	view_end(c->o.view);
	c->viewing = false;
	for (uint32_t i = 0; c->out.hidden && i < c->p->nagg; i++)
		c->aggs->st[i].printed = false;
	flush(c);
	c->out.hidden = false;
}

/* The last state of a capture stays until the user ends it. */
static void stay(struct consumer *c)
{
	sample(c, oformat_now(c->oformat));
	if (!c->sink.done)
		view_wait_for_quit(c->o.view);
}

/* Has everybody ended whom the run is about? */
static bool followed_to_end(const struct consumer *c)
{
	return c->o.follow && c->o.follow->over(c->o.follow->ctx);
}

/* The source's wait is cut short when the time is over. */
static void on_alarm(int sig)
{
	(void)sig;
}

static void wake_after(uint64_t ns, suseconds_t again_us)
{
	struct itimerval t = {
		.it_value = {(time_t)(ns / 1000000000), (suseconds_t)(ns / 1000 % 1000000)}};
	struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};

	t.it_value.tv_usec += !t.it_value.tv_sec && !t.it_value.tv_usec;
	t.it_interval.tv_usec = again_us; /* it may come just before a wait */
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
}

/* In replay it is awake often enough. */
static void wake_in_time(const struct consumer *c)
{
	if (c->src->recorded)
		return;
	if (c->o.aggout_rate)
		wake_after(SNAPSHOT_LATE_NS, SNAPSHOT_LATE_NS / 1000);
	else if (c->o.duration)
		wake_after(c->o.duration, 10000);
}

/* In replay the source knows: it is the packets' time. */
static bool time_is_over(const struct consumer *c, uint64_t began)
{
	return c->o.duration && !c->src->recorded && now_monotonic() - began >= c->o.duration;
}

/* Until exit(), the end of the source, of whom it follows, or a signal. */
static int live(struct consumer *c, struct diag *d, volatile sig_atomic_t *interrupted)
{
	uint64_t began = now_monotonic();
	int res = 1;

	c->polled = began;
	wake_in_time(c);
	if (c->o.follow && !c->o.follow->go(c->o.follow->ctx, d))
		return -1;
	begin_view(c, interrupted);
	snapshot(c);
	while (res == 1 && !c->sink.done && !*interrupted && !followed_to_end(c) &&
	       !time_is_over(c, began)) {
		res = c->src->ops->wait(c->src, &c->sink, d);
		flush(c); /* what was delivered goes out at once */
		poll_status(c);
		owner_read_events();
		answer(c);
		snapshot(c);
		if (c->viewing)
			c->sink.done |= !view_keys(c->o.view);
	}
	if (c->viewing && res == 0 && !c->sink.done)
		stay(c);
	end_view(c);
	if (c->o.serve && res == 0 && !c->sink.done)
		answer_on(c, interrupted);
	if (*interrupted && !c->exited && !c->packets.in_file && c->oformat->ops->interrupted)
		c->oformat->ops->interrupted(c->oformat);
	c->src->ops->stop(c->src, &c->sink);
	flush(c); /* what was delivered goes out at once */
	return res < 0 ? -1 : 0;
}

static int fire(struct consumer *c, enum run_kind kind, const char *name, struct diag *d)
{
	int err = c->src->ops->fire(c->src, kind, NULL, &c->sink);

	flush(c); /* what was delivered goes out at once */
	return err ? diag_error(d, D_SYS, NOLOC, "failed to fire %s: %s", name, strerror(-err)) : 0;
}

/* What no printa() has shown. */
static void show_rest(struct consumer *c)
{
	if (c->oformat->ops->rest && !c->o.aggout_only)
		c->oformat->ops->rest(c->oformat);
	aggs_thaw(c->aggs);
	if (!c->o.aggout_only)
		aggs_show_rest(c->aggs, c->oformat);
	flush(c);
}

static void last_snapshot(struct consumer *c)
{
	if (c->o.aggout || c->o.snapshots)
		write_aggregations(c);
	if (c->o.snapshots && !c->aggout_error)
		c->aggout_error = snapshots_wait(c->o.snapshots);
}

/* 0, or -1 with the first of what went wrong in @d. */
static int what_failed(const struct consumer *c, bool again, struct diag *d)
{
	if (again)
		return diag_error(d, D_SYS, NOLOC, "interrupted again: aggregations left out");
	if (c->out.broken)
		return diag_error(d, D_SYS, NOLOC, "failed to write to %s: %s",
				  c->o.outname ? c->o.outname : "<stdout>", strerror(c->out.error));
	if (c->outside_gone)
		return diag_error(d, D_SYS, NOLOC,
				  "the process that runs commands and opens files for the program "
				  "ended before the run did");
	if (c->aggout_error)
		return diag_error(d, D_SYS, NOLOC, "failed to write the aggregations: %s",
				  file_error(c->aggout_error));
	if (c->capture_out.broken)
		return diag_error(d, D_SYS, NOLOC, "failed to write the capture: %s",
				  strerror(c->capture_out.error));
	if (c->aggs->failed)
		return diag_error(d, D_SYS, NOLOC,
				  "failed to print aggregations: a map could not be read");
	return 0;
}

static int finish(struct consumer *c, struct diag *d, volatile sig_atomic_t *interrupted)
{
	int err = fire(c, RUN_END, "END", d);
	bool again;

	if (c->hold)
		hold_each(c->hold, show_record, c);
	c->outside_gone |= packets_finish(&c->packets, &c->outside) == OUTSIDE_GONE;
	pcapng_reset(&c->capture);
	if (c->packets.in_file) /* it ends here */
		output_redirect(&c->out, -1);
	if (c->series)
		sample(c, oformat_now(c->oformat));
	if (*interrupted < 2)
		show_rest(c);
	again = *interrupted > 1;
	faults_tell(&c->faults, true);
	loss_tell(&c->loss, &c->o, c->oformat);
	if (c->o.footer)
		footer_tell(&c->loss, c->aggs, &c->o, c->oformat);
	last_snapshot(c);
	if (c->o.strict && loss_any(&c->loss)) {
		fprintf(c->o.err, "dtrace: something was lost: status %d (-x strict)\n",
			STATUS_LOST);
		c->status = STATUS_LOST;
	}
	if (c->oformat->ops->end)
		c->oformat->ops->end(c->oformat);
	flush(c);
	return what_failed(c, again, d) ? -1 : err;
}

int consumer_run(struct consumer *c, struct diag *d, volatile sig_atomic_t *interrupted)
{
	int res = 0;

	/* What BEGIN prints says that tracing begins at once, so slow preparations come before. */
	if (!c->src->recorded && !usyms_start(c->p, d))
		return -1;
	c->epoch = oformat_now(c->oformat);
	first_sample(c);
	if (fire(c, RUN_BEGIN, "BEGIN", d))
		return -1;
	if (!c->sink.done) {
		if (c->src->ops->go(c->src, d))
			return -1;
		if (c->src->warning)
			fprintf(err(c), "dtrace: %s\n", c->src->warning);
		res = live(c, d, interrupted);
	}
	return finish(c, d, interrupted) || res ? -1 : 0;
}
