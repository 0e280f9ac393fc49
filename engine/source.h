/*
 * source.h - the interface of an event source: the kernel, or a capture file.
 *
 * A source runs the units of one D program (a unit is the eBPF program of one hook) and delivers
 * the records that they write to a sink. The consumer cannot tell which source it has. Call order:
 *
 *	start, attach, fire(BEGIN), go, wait ... wait, stop, fire(END), [maps], free
 *
 * A source calls sink->record in the order in which programs reserved the records, and only from
 * fire(), go(), wait() and stop().
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
	/*
	 * Takes one record, which is valid during the call. @size is the rec_size of the clause
	 * that wrote the record, possibly plus padding.
	 */
	void (*record)(void *ctx, const struct record *rec, size_t size);
	void *ctx;
	/*
	 * Set by the consumer inside record(), after exit() or an error. The source then stops as
	 * soon as possible.
	 */
	bool done;
};

/* Numbers of events that the source itself lost or skipped. */
struct source_loss {
	/* number of firings that the kernel skipped, because the program was running already */
	uint64_t missed;
	uint64_t tick_errors; /* number of firings of tick-N that the kernel refused to run */
	/*
	 * number of network namespaces that dtrace may not enter, so their sockets are not reported
	 */
	uint64_t netns_denied;
	/* number of packets whose owner may be at either end, so programs see no owner for them */
	uint64_t ambiguous_owners;
	/* number of packets that the kernel dropped because the capture buffer was full */
	uint64_t iface_drops;
	/* number of TCP connections that were forgotten because the table was full */
	uint64_t conns_evicted;
	/*
	 * number of firings of tick-N that were skipped because of a gap in a capture, or a delay
	 * of dtrace
	 */
	uint64_t ticks;

	/* Packets of a capture that got another time than the file says. */
	/*
	 * number of packets that got the time of an earlier packet, because time must not go back
	 */
	uint64_t late_packets;
	uint64_t late_ns; /* largest change of a late packet's time, in ns */
	/*
	 * number of packets whose time was far ahead of the packets around them; each got the time
	 * that the replay had reached
	 */
	uint64_t bad_clocks;

	/* Fragmented datagrams of a capture that were given up, by reason. */
	/* number of datagrams that got a fragment too late, or never */
	uint64_t frag_missing;
	uint64_t frag_overlap; /* number of datagrams whose fragments overlap */
	/*
	 * number of datagrams that were dropped because too many were incomplete at the same time
	 */
	uint64_t frag_room;

	/*
	 * Number of frames of a capture that replay does not understand, and of packets that a host
	 * would drop, because the lengths in their headers are impossible. A text lists the reasons
	 * and is valid until the next call of loss(); NULL if the source is no replay.
	 */
	uint64_t not_understood, impossible;
	const char *which_not_understood, *which_impossible;
};

struct unit_cost {
	uint64_t runs, ns;   /* number of runs, and their CPU time in ns */
	uint64_t elapsed_ns; /* time that tracing lasted, in ns */
};

struct source_ops {
	const char *name; /* "kernel" or "replay" */

	/*
	 * Creates the maps and loads (verifies) every unit. Nothing fires yet. Returns 0, or -1
	 * with the error in @d. After an error the caller may only call free(), which releases
	 * everything that start() opened.
	 */
	int (*start)(struct source *s, const struct program *p, struct diag *d);

	/*
	 * Attaches all units, so that go() takes no time. Nothing fires yet. Returns 0, or -1 with
	 * the error in @d. NULL if the source has nothing to attach.
	 */
	int (*attach)(struct source *s, struct diag *d);

	/*
	 * Runs every HOOK_RUN unit of kind @kind, in order, to completion. Their records reach the
	 * sink before fire() returns, except those of BEGIN after attach(): go() delivers them,
	 * when other probes fire already. @args has 10 values for arg0 to arg9; NULL means that all
	 * are 0. Returns 0, or a negative errno if a unit could not run.
	 */
	int (*fire)(struct source *s, enum run_kind kind, const uint64_t *args,
		    struct record_sink *k);

	/*
	 * Attaches the units if attach() was not called. Opens the gate (struct globals), which
	 * lets their programs act, unless BEGIN has called exit(). Then delivers the records of
	 * BEGIN. Returns 0, or -1 with the error in @d.
	 */
	int (*go)(struct source *s, struct record_sink *k, struct diag *d);

	/*
	 * Delivers records for at most about a second, and waits for them if necessary. Fires the
	 * ticks that are due. Returns 1 if more records may follow, 0 if the source has ended, or
	 * -1 if the source failed. On failure, @d has the reason, and all records so far are valid.
	 */
	int (*wait)(struct source *s, struct record_sink *k, struct diag *d);

	/*
	 * Closes the gate, detaches the units, and delivers the remaining records. The maps stay
	 * readable. Returns 0.
	 */
	int (*stop)(struct source *s, struct record_sink *k);

	/*
	 * Waits until the programs that were running when the source was stopped have ended.
	 * Returns whether no program runs any more; programs that fire() runs do not count. Always
	 * returns false before stop(). NULL is the same as a function that returns false.
	 */
	bool (*quiesce)(struct source *s);

	/*
	 * Calls @fn for each key of map @map, which is a hash or table with one value per CPU.
	 * @value has ncpu consecutive values. Each takes the map's value_size, rounded up to a
	 * multiple of 8 bytes. If @fn returns true, the key is deleted. @fn must not call back into
	 * the source. Returns 0, or -1 if the map cannot be read.
	 */
	int (*map_each)(struct source *s, uint32_t map,
			bool (*fn)(void *ctx, const void *key, const void *value), void *ctx);

	/*
	 * Returns an array of the MAP_PERCPU values of all CPUs, or NULL if they cannot be read.
	 * Each value takes the map's value_size, rounded up to 8 bytes. The source owns them.
	 */
	const void *(*percpu)(struct source *s);

	/* Returns the MAP_GLOBAL value. The value is writable, and is valid until free(). */
	void *(*globals)(struct source *s);

	/* Returns the time in ns: CLOCK_MONOTONIC in the kernel, packet time in a replay. */
	uint64_t (*now)(struct source *s);

	void (*loss)(struct source *s, struct source_loss *out);

	/*
	 * Stores the cost of unit @unit, or returns false if the cost is not known. A source that
	 * knows no costs has NULL here.
	 */
	bool (*cost)(struct source *s, uint32_t unit, struct unit_cost *out);

	/* Detaches the units that are still attached and frees the source. */
	void (*free)(struct source *s);
};

/*
 * The members that all sources have. A kernel or replay source has this struct as its first member.
 */
struct source {
	const struct source_ops *ops;
	/* number of values per key in per-CPU maps; set by start() */
	uint32_t ncpu;
	const uint32_t *cpu; /* the CPU number of each value; NULL if the numbers are 0, 1, 2 ... */
	/*
	 * events are packets (from a capture or an interface), so names and the clock of this host
	 * do not apply to them
	 */
	bool recorded;
	/*
	 * programs run only in fire(), wait() and stop(), so a cleared map stays empty between
	 * calls
	 */
	bool synchronous;
	/*
	 * Set by map_each() before each call of @fn. True if no other call of @fn gets an equal
	 * key.
	 */
	bool distinct;
	/*
	 * counter of runs of programs that may change aggregations; NULL if the source does not
	 * count them
	 */
	const uint64_t *runs;
	const char *warning; /* warning for the user, or NULL; set by start() or go() */
};

#endif
