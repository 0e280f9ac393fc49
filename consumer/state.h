/*
 * state.h - the state of a run, which several files of the main loop share.
 *
 * consumer.c runs the loop. records.c receives records, and actions.c performs their actions.
 * sampling.c takes samples of aggregations. export.c writes snapshots and answers requests for
 * metrics.
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

/*
 * Facts about a probe that are needed for each of its records. They are derived from the probe's
 * name once.
 */
struct probe_facts {
	bool at_end;  /* the probe is END or ERROR, whose records are shown even after exit() */
	bool counted; /* -x count counts its records */
	bool error;   /* the probe is ERROR */
};

/* The output, and the record that is being shown. */
struct printing {
	struct output out;
	struct oformat *oformat;
	/* values of an action's fields; there is room for the action with the most fields */
	struct datum *arg;
	uint32_t narg;
	/* header of the record that is being shown, or of the last record shown */
	struct record last;
	/* @last and the record before it are from one firing (one run of a probe's clauses) */
	bool same_firing;
	bool record_open; /* the output format is between record() and record_end() */
};

/* State of -x capture, which writes packets to a pcapng file: those of all probes that fire. */
struct packet_capture {
	struct pcapng file;
	struct output out;
	uint64_t last; /* time of the last packet written, in ns since 1970 */
};

/* Samples of aggregations over time. */
struct sampling {
	struct series *series; /* growth between two samples, or NULL if nothing shows it */
	bool viewing;          /* the screen of -x view is open */
};

/* Aggregations for other programs, by -x aggout and -x listen. */
struct exports {
	struct prom *prom;
	uint64_t epoch;         /* start of the run, in ns since 1970 */
	uint64_t nsnapshot;     /* number of snapshots written so far */
	uint64_t last_snapshot; /* time of the last snapshot, by now_monotonic() */
	/* time of the last poll for requests for metrics, by now_monotonic() */
	uint64_t last_answer;
	int aggout_error; /* errno of writing the file of -x aggout, or 0 */
};

struct consumer {
	const struct program *p;
	struct source *src;
	struct consumer_opts o;  /* a copy of the options, which setopt() changes */
	struct record_sink sink; /* sink.done ends the run */

	/* State of the processing of records, from the source to the output. */
	struct probe_facts *probe; /* facts about each probe */
	struct specs *specs;
	/*
	 * records that are shown at the end of the run, or NULL if records are shown as they arrive
	 */
	struct hold *hold;
	uint64_t ncounted; /* number of records that -x count has counted */
	bool exited;       /* exit() ran, or -x count was reached */
	int status;        /* exit status: the argument of exit(), or STATUS_LOST */

	/* Output of the records. */
	struct printing print;
	struct packets packets; /* state of pcap() */
	struct packet_capture capture;
	struct outside *outside; /* runs the commands and opens the files of actions */
	struct outside own;      /* what @outside points to if the options name no other */
	struct resolver resolver;

	/* Aggregations. */
	struct aggs *aggs;
	struct sampling sampling;
	struct exports exports;

	/* Losses and faults. */
	struct loss loss;
	struct faults faults;
	/*
	 * time of the last wait for records but one, by now_monotonic(): the records that arrive
	 * now are newer
	 */
	uint64_t waited;
	uint64_t last_poll; /* time of the last report of losses and faults, by now_monotonic() */
};

/* Functions of consumer.c for output. */

/* Writes all buffered output; ends the run if that fails. */
void consumer_flush(struct consumer *c);

/*
 * Ends the open line of the record and writes all output, because a command will write to the same
 * file.
 */
void consumer_yield_output(struct consumer *c);

/*
 * Returns the stream for messages. Writes all output first, because a terminal shows output and
 * messages in one stream.
 */
FILE *consumer_err(struct consumer *c);

/* Functions of actions.c. */

/*
 * Returns whether @rec has data of the action @act. This is so if the branch of the clause that
 * contains @act was executed.
 */
bool action_is_reached(const struct record *rec, const struct action_info *act);

/* Performs the action @act of the record @rec. */
void action_run(struct consumer *c, const struct record *rec, const struct action_info *act);

/* Functions of records.c. */

/* Computes c->probe and allocates c->print.arg.  records_release() frees them. */
void records_init(struct consumer *c);
void records_release(struct consumer *c);

/* Receives a record of @size bytes from the source. This is the function record of c->sink. */
void records_receive(void *consumer, const struct record *rec, size_t size);

/* Ends the record in the output, if it is open. */
void records_end(struct consumer *c);

/* Shows the records that -x bufpolicy=ring or fill has held back. */
void records_show_held(struct consumer *c);

/* Functions of sampling.c. */

/* Starts sampling if the output format or -x view shows aggregations over time. */
void sampling_start(struct consumer *c);
void sampling_release(struct consumer *c);

/* Takes a sample and shows it. @time is the time of the sample in ns since 1970. */
void sampling_take(struct consumer *c, uint64_t time);

/* Takes a sample as sampling_take() does, unless nothing shows it. */
void sampling_take_if_due(struct consumer *c, uint64_t time);

/*
 * sampling_begin_view() opens the screen of -x view, and sampling_end_view() closes it at the end
 * of tracing.
 */
void sampling_begin_view(struct consumer *c, volatile sig_atomic_t *interrupted);
void sampling_end_view(struct consumer *c);

/* Keeps the last state of a capture on the screen until the user quits. */
void sampling_hold_view(struct consumer *c);

/* Functions of export.c. */

/* Writes a snapshot for -x aggout if the interval of -x aggoutrate has passed. */
void export_snapshot_if_due(struct consumer *c);

/* Writes the last snapshot, and waits until it is on the disk. */
void export_last_snapshot(struct consumer *c);

/* Answers the requests for metrics that have arrived (-x listen). */
void export_answer(struct consumer *c);

/* After a capture was read, answers requests for metrics until the user interrupts the run. */
void export_answer_until(struct consumer *c, volatile sig_atomic_t *interrupted);

#endif
