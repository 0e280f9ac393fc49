/*
 * source.h - where events come from: the kernel, or a capture file.
 *
 * A source runs the units of one program and hands its records over.  The
 * consumer cannot tell which source it has.  Call order:
 *
 *	start, fire(BEGIN), go, wait ... wait, stop, fire(END), [maps], free
 *
 * Records are given to sink->record in the order they were reserved.  A source
 * may call it from wait(), fire() and stop() only.
 */
#ifndef ENGINE_SOURCE_H
#define ENGINE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/program.h"

struct diag;
struct source;

struct record_sink {
	/* One record, valid during the call.  @size may exceed the clause's rec_size by padding. */
	void (*record)(void *ctx, const struct record *rec, size_t size);
	void *ctx;
	/* Set by the consumer inside record(): stop as soon as possible (exit(), error). */
	bool done;
};

/* What was lost or skipped, as far as the source alone knows it. */
struct source_loss {
	uint64_t missed;      /* firings the kernel skipped (recursion) */
	uint64_t tick_errors; /* firings of tick-N that the kernel refused to run */
	/* network namespaces that may not be entered: what is there is unread */
	uint64_t netns_denied;
	uint64_t ambiguous_owners; /* packets whose owner is that of one of two local ends */
	uint64_t iface_drops;      /* packets of an interface for which there was no room */
	uint64_t conns_evicted;    /* TCP connections given up: too many at a time */
	uint64_t ticks;            /* tick firings skipped over gaps in a capture */

	/* Packets of a capture that have another time than the file says. */
	uint64_t late_packets; /* that of one before them, which is later */
	uint64_t late_ns;      /* by so much at most */
	uint64_t bad_clocks;   /* that of the one before: they alone were far ahead */

	/* Fragmented datagrams of a capture that were given up, by reason. */
	uint64_t frag_missing; /* a fragment did not come, or not in time */
	uint64_t frag_overlap; /* fragments that do not fit together */
	uint64_t frag_room;    /* too many at a time */
};

struct unit_cost {
	uint64_t runs, ns;   /* time of a CPU */
	uint64_t elapsed_ns; /* that tracing went on */
};

struct source_ops {
	const char *name; /* "kernel", "replay" */

	/*
	 * Makes the maps, loads (verifies) every unit.  Nothing fires yet.  Returns 0, or
	 * -1 with the error in @d; then the caller may only call free(), which releases
	 * whatever start() had opened.
	 */
	int (*start)(struct source *s, const struct program *p, struct diag *d);

	/* Runs every HOOK_RUN unit of that kind, in order, to completion; its records
	 * reach the sink before it returns.  @args: up to 10 values for arg0...; NULL: zeros.
	 * 0, or a negative errno: one of them could not be run. */
	int (*fire)(struct source *s, enum run_kind kind, const uint64_t *args,
		    struct record_sink *k);

	/* Attaches everything, then opens the gate.  0, or -1 with the error in @d. */
	int (*go)(struct source *s, struct diag *d);

	/*
	 * Waits for records for about a second at most and delivers them; fires ticks when
	 * due.  1: there may be more; 0: the source has come to its end; -1: it broke, the
	 * reason is in @d (what was delivered before is good).
	 */
	int (*wait)(struct source *s, struct record_sink *k, struct diag *d);

	/* Closes the gate, detaches, delivers what is left.  Maps stay readable. */
	int (*stop)(struct source *s, struct record_sink *k);

	/*
	 * Visits each key of hash map @map: @value holds ncpu values of the map's
	 * value_size rounded up to 8, one behind the other.  @fn returns true to have
	 * the key deleted.  @fn must not call back into the source.
	 */
	int (*map_each)(struct source *s, uint32_t map,
			bool (*fn)(void *ctx, const void *key, const void *value), void *ctx);

	/* The MAP_PERCPU values, all CPUs', each of its value_size rounded up to 8.  NULL:
	 * they cannot be read. */
	const void *(*percpu)(struct source *s);

	/* The MAP_GLOBAL value, writable, for as long as the source lives. */
	void *(*globals)(struct source *s);

	/* ns; live: CLOCK_MONOTONIC; replay: packet time. */
	uint64_t (*now)(struct source *s);

	void (*loss)(struct source *s, struct source_loss *out);

	/* What a unit has cost.  False: not known.  May be NULL: nothing is. */
	bool (*cost)(struct source *s, uint32_t unit, struct unit_cost *out);

	/* Detaches what is still attached and frees everything. */
	void (*free)(struct source *s);
};

/* Every source starts with this. */
struct source {
	const struct source_ops *ops;
	uint32_t ncpu;       /* values per key in per-CPU maps; set by start() */
	const uint32_t *cpu; /* whose they are: numbers of CPUs; NULL: 0, 1, 2 ... */
	/* what it shows was recorded: this host's names and clock are not its */
	bool recorded;
	bool synchronous; /* programs run only in fire() and wait(): what was cleared is final */
	/* how often programs ran that may change aggregations; NULL: not known */
	const uint64_t *runs;
	const char *warning; /* what the user must know of this run; NULL: nothing; set by go() */
};

#endif
