/*
 * state.h - the state of a run, shared by the files that make up the main loop.
 *
 * consumer.c runs the loop. records.c receives records, actions.c carries out their actions,
 * sampling.c takes samples of aggregations, export.c writes snapshots and answers for metrics.
 */
#ifndef CONSUMER_STATE_H
#define CONSUMER_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "consumer/fault.h"
#include "consumer/loss.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/outside.h"
#include "consumer/packets.h"
#include "consumer/pcapng.h"
#include "consumer/values/resolver.h"
#include "engine/source.h"

struct action_info;
struct aggs;
struct datum;
struct hold;
struct oformat;
struct program;
struct prom;
struct record;
struct series;
struct specs;

/* Facts about a probe that each of its records needs; derived from its name once. */
struct probe_facts {
	bool at_end;  /* END or ERROR: its records are shown after exit() too */
	bool counted; /* -x count counts its records */
	bool error;   /* ERROR */
};

/* The output, and the record that is being shown. */
struct printing {
	struct output out;
	struct oformat *oformat;
	struct datum *arg; /* values of an action; room for those of the widest one */
	uint32_t narg;
	struct record last; /* header of the record being shown, or of the last one */
	bool same_firing;   /* @last and the record before it are of one firing */
	bool record_open;   /* the output format is between record() and record_end() */
};

/* -x capture: a pcapng file of all packets whose probes fired. */
struct packet_capture {
	struct pcapng file;
	struct output out;
	uint64_t last; /* time of the last packet written, ns since 1970 */
};

/* Commands and files of actions. */
struct outside_access {
	struct outside_self self;
	struct outside by; /* runs the commands and opens the files */
	bool gone;         /* the process behind @by died, so the run ends */
};

/* Aggregations over time. */
struct sampling {
	struct series *series; /* growth between samples; NULL: nothing shows it */
	bool viewing;          /* -x view owns the screen */
};

/* Aggregations for other programs: -x aggout, -x listen. */
struct exports {
	struct prom *prom;
	uint64_t epoch;         /* start of the run, ns since 1970 */
	uint64_t nsnapshot;     /* snapshots written so far */
	uint64_t last_snapshot; /* ns, monotonic */
	uint64_t last_answer;   /* ns, monotonic */
	int aggout_error;       /* errno of writing -x aggout; 0: none */
};

struct consumer {
	const struct program *p;
	struct source *src;
	struct consumer_opts o;  /* a copy, which setopt() changes */
	struct record_sink sink; /* sink.done ends the run */

	/* State of the processing of records, from the source to the output. */
	struct probe_facts *probe; /* by probe */
	struct specs *specs;
	struct hold *hold; /* records shown at the end of the run; NULL: shown at once */
	uint64_t ncounted; /* records that -x count counts */
	bool exited;       /* exit() ran, or -x count was reached */
	int status;        /* exit status: that of exit(), or STATUS_LOST */

	/* Output of the records. */
	struct printing print;
	struct packets packets; /* pcap() */
	struct packet_capture capture;
	struct outside_access outside;
	struct resolver resolver;

	/* Aggregations. */
	struct aggs *aggs;
	struct sampling sampling;
	struct exports exports;

	/* Losses and faults. */
	struct loss loss;
	struct faults faults;
	uint64_t last_poll; /* when losses and faults were last reported; ns, monotonic */
};

/* consumer.c: output */

/* Writes all buffered output; ends the run if that fails. */
void consumer_flush(struct consumer *c);

/*
 * Ends the open line of the record and flushes, because a command is about to write to the same
 * file.
 */
void consumer_yield_output(struct consumer *c);

/* Returns the stream for messages.  Flushes output first: on a terminal both are one stream. */
FILE *consumer_err(struct consumer *c);

/* actions.c */

/* Returns whether @rec has data of action @act: the branch of the clause that contains @act ran. */
bool action_is_reached(const struct record *rec, const struct action_info *act);

/* Carries out action @act of record @rec. */
void action_run(struct consumer *c, const struct record *rec, const struct action_info *act);

/* records.c */

/* Computes c->probe and allocates c->print.arg.  records_release() frees them. */
void records_init(struct consumer *c);
void records_release(struct consumer *c);

/* Takes a record of @size bytes from the source; the function of c->sink. */
void records_receive(void *consumer, const struct record *rec, size_t size);

/* Ends the record in the output, if it is open. */
void records_end(struct consumer *c);

/* Shows the records that -x bufpolicy=ring or fill held. */
void records_show_held(struct consumer *c);

/* sampling.c */

/* Starts sampling if the output format or -x view shows aggregations over time. */
void sampling_start(struct consumer *c);
void sampling_release(struct consumer *c);

/* Takes a sample at @time (ns since 1970) and shows it. */
void sampling_take(struct consumer *c, uint64_t time);

/* Takes a sample as sampling_take() does, unless nothing shows it. */
void sampling_take_if_due(struct consumer *c, uint64_t time);

/* Gives the screen to -x view, and takes it back at the end of tracing. */
void sampling_begin_view(struct consumer *c, volatile sig_atomic_t *interrupted);
void sampling_end_view(struct consumer *c);

/* Keeps the last state of a capture on the screen until the user quits. */
void sampling_hold_view(struct consumer *c);

/* export.c */

/* Writes a snapshot for -x aggout if -x aggoutrate has elapsed. */
void export_snapshot_if_due(struct consumer *c);

/* Writes the last snapshot, and waits until it is on disk. */
void export_last_snapshot(struct consumer *c);

/* Answers the waiting requests for metrics (-x listen). */
void export_answer(struct consumer *c);

/* Answers requests for metrics until the user interrupts the run, after a capture was read. */
void export_answer_until(struct consumer *c, volatile sig_atomic_t *interrupted);

#endif
