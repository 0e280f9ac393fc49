/*
 * records.c - receives the records of a source and shows them.
 *
 * A record of a speculation waits for commit(). With -x bufpolicy=ring or fill, all records wait
 * for the end of the run. Any other record is shown when it arrives: its actions are performed in
 * order (actions.c).
 */
#include "consumer/state.h"

#include <string.h>

#include "base/xalloc.h"
#include "consumer/aggs/aggs.h"
#include "consumer/consumer.h"
#include "consumer/hold.h"
#include "consumer/oformat/oformat.h"
#include "consumer/spec.h"
#include "consumer/symbols/usyms.h"
#include "consumer/values/datum.h"
#include "ir/program.h"

/*
 * Returns whether records of clause @epid, the enabled probe ID (epid), are shown. After exit(),
 * only records of END and ERROR are shown. Other probes can still fire on other CPUs until the
 * source stops.
 */
static bool shown(const struct consumer *c, uint32_t epid)
{
	return !c->exited || c->probe[c->p->clause[epid - 1].probe].at_end;
}

/* ------------------------------------------------------------------ faults */

/* Reports a fault. The fault also fires ERROR; the records of ERROR's clauses come later. */
static void on_fault(struct consumer *c, const struct fault_record *f)
{
	const struct probe_facts *facts;

	if (!f->clause || f->clause > c->p->nclause)
		BUG("a fault in clause %u of %u", f->clause, c->p->nclause);
	facts = &c->probe[c->p->clause[f->clause - 1].probe];
	if (!shown(c, f->clause))
		return;
	if (facts->error) { /* a fault in a clause of ERROR does not fire ERROR again */
		c->loss.dblerrors++;
		return;
	}
	c->loss.faults++;
	consumer_flush(c);
	faults_add(&c->faults, f);
}

/* ----------------------------------------------------------------- showing */

/*
 * Returns whether @rec is from the same firing (one run of a probe's clauses) as the last record,
 * but from a later clause.
 */
static bool of_last_firing(const struct consumer *c, const struct record *rec, uint32_t probe)
{
	return c->print.last.epid && c->print.last.epid < rec->epid &&
	       c->print.last.cpu == rec->cpu && c->p->clause[c->print.last.epid - 1].probe == probe;
}

/*
 * Returns whether printing text would corrupt the output, because the output is a capture file or
 * this record makes it one.
 */
static bool corrupts_capture(const struct consumer *c, const struct clause_info *ci)
{
	for (uint32_t i = 0; c->print.out.reopened && i < ci->nact; i++)
		if (ci->act[i].kind == ACT_PCAP)
			return true;
	return c->packets.in_file;
}

static void begin_record(struct consumer *c, const struct clause_info *ci, const struct record *rec)
{
	struct oformat_record r = {.probe = ci->probe, .epid = rec->epid, .cpu = rec->cpu};

	if (ci->time)
		memcpy(&r.time, (const char *)rec + ci->time, sizeof(r.time));
	c->print.oformat->ops->record(c->print.oformat, &r);
}

/* Returns whether the clause has a single action and this action is of kind @kind. */
static bool does_only(const struct clause_info *ci, enum action_kind kind)
{
	return ci->nact == 1 && ci->act[0].kind == kind;
}

void records_end(struct consumer *c)
{
	if (c->print.record_open && !c->packets.in_file)
		c->print.oformat->ops->record_end(c->print.oformat);
	c->print.record_open = false;
}

static void show_record(void *ctx, const struct record *rec)
{
	struct consumer *c = ctx;
	const struct clause_info *ci = &c->p->clause[rec->epid - 1];

	c->loss.records++;
	c->print.same_firing = of_last_firing(c, rec, ci->probe);
	if (!c->print.same_firing)
		aggs_thaw(c->aggs);
	c->print.last = *rec;
	c->print.record_open = !corrupts_capture(c, ci) && !does_only(ci, ACT_CAPTURE);
	if (c->print.record_open)
		begin_record(c, ci, rec);
	for (uint32_t i = 0; i < ci->nact; i++)
		if (action_is_reached(rec, &ci->act[i]))
			action_run(c, rec, &ci->act[i]);
	records_end(c);
	output_spill(&c->print.out);
	c->sink.done |= c->print.out.broken || c->capture.out.broken;
}

/* ----------------------------------------------------------------- waiting */

/*
 * Keeps a record until the end of the run. Only an exit() in the record is performed now. If the
 * buffer refuses the record, counts a drop and ends tracing.
 */
static void hold_record(struct consumer *c, const struct record *rec)
{
	const struct clause_info *ci = &c->p->clause[rec->epid - 1];

	if (!hold_add(c->hold, rec, ci->rec_size, c->probe[ci->probe].at_end)) {
		loss_refuse(&c->loss, rec->cpu);
		c->sink.done = true;
		return;
	}
	for (uint32_t i = 0; i < ci->nact; i++)
		if (ci->act[i].kind == ACT_EXIT && action_is_reached(rec, &ci->act[i]))
			action_run(c, rec, &ci->act[i]);
}

void records_show_held(struct consumer *c)
{
	if (c->hold)
		hold_each(c->hold, show_record, c);
}

static void take_record(void *ctx, const struct record *rec)
{
	struct consumer *c = ctx;
	const struct clause_info *ci = &c->p->clause[rec->epid - 1];
	uint64_t time = 0;
	bool counted = c->probe[ci->probe].counted;

	if (does_only(ci, ACT_SAMPLE)) {
		memcpy(&time, (const char *)rec + ci->time, sizeof(time));
		sampling_take_if_due(c, time);
		return;
	}
	if (c->print.out.broken || (counted && c->o.count && c->ncounted == c->o.count))
		return;
	if (c->hold)
		hold_record(c, rec);
	else
		show_record(c, rec);
	if (counted && ++c->ncounted == c->o.count)
		c->exited = c->sink.done = true;
}

/* Returns the speculation that the record belongs to, or NULL if it belongs to none. */
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
	/*
	 * After exit(), only records of END and ERROR are accepted. This applies to speculative
	 * records, too. END can still commit records that were speculated before exit().
	 */
	if (!shown(c, rec->epid))
		return;
	spec = spec_of(ci, rec);
	usyms_window(spec || c->hold ? 0 : c->waited);
	if (!spec)
		take_record(c, rec);
	else if (!specs_keep(c->specs, spec, rec, ci->rec_size))
		c->loss.spec_drops++;
	usyms_window(0);
}

static void need_size(const struct record *rec, size_t size, size_t wanted)
{
	if (size < wanted)
		BUG("a record %u of %zu bytes", rec->epid, size);
}

void records_receive(void *ctx, const struct record *rec, size_t size)
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

/* --------------------------------------------------------- facts about probes */

/* Returns whether -x count counts the probe. It does not count BEGIN, END, ERROR and ticks. */
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
	c->probe = xcalloc(c->p->nprobe + 1, sizeof(*c->probe));
	for (uint32_t i = 0; i < c->p->nprobe; i++) {
		const struct probe_info *pi = &c->p->probe[i];
		struct probe_facts *facts = &c->probe[i];
		bool ours = !strcmp(pi->prov, "dtrace");

		facts->error = ours && !strcmp(pi->name, "ERROR");
		facts->at_end = facts->error || (ours && !strcmp(pi->name, "END"));
		facts->counted = is_counted(pi);
	}
}

static void init_args(struct consumer *c)
{
	c->print.narg = 1;
	for (uint32_t i = 0; i < c->p->nclause; i++)
		for (uint32_t j = 0; j < c->p->clause[i].nact; j++)
			if (c->p->clause[i].act[j].nfield > c->print.narg)
				c->print.narg = c->p->clause[i].act[j].nfield;
	c->print.arg = xcalloc(c->print.narg, sizeof(*c->print.arg));
}

void records_init(struct consumer *c)
{
	init_probes(c);
	init_args(c);
}

void records_release(struct consumer *c)
{
	for (uint32_t i = 0; i < c->print.narg; i++)
		datum_release(&c->print.arg[i]);
	xfree(c->print.arg);
	xfree(c->probe);
}
