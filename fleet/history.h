/*
 * history.h - the history: what the programs that always run (host/always.h) have counted in each
 * interval of time.
 *
 * For each program and interval, a host publishes a message with an aggregation file:
 *
 *	subject   fleet.history.PROGRAM.HOST.ID
 *	heads     program, host, id, epoch, number, from, to, lacks
 *	body      the aggregation file
 *
 * The heads (message.h) are the members of struct interval.
 *
 * The intervals of a run of the program have the numbers 1, 2, ... Each interval begins where the
 * one before it has ended. By the numbers, a viewer notices a missing interval, and a message that
 * comes twice.
 */
#ifndef FLEET_HISTORY_H
#define FLEET_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct aggsum;
struct message;

struct interval {
	const char *program, *host, *id; /* borrowed from the message or the caller */
	uint64_t epoch;                  /* start of the run of the program, ns since 1970 */
	uint64_t number;                 /* number of the interval in that run, from 1 on */
	uint64_t from, to;               /* begin and end of the interval, ns since 1970 */
	const char *lacks;               /* why the message has no file, or NULL if it has one */
};

/*
 * Appends the subject of the message to @subject, and the message with the @size bytes at @file to
 * @b.
 */
void interval_write(struct strbuf *subject, struct strbuf *b, const struct interval *i,
		    const void *file, size_t size);

/*
 * Reads @m as the interval that @subject names. The file is the message's body. Returns false if
 * the message is malformed, or belongs to another subject.
 */
bool interval_read(struct interval *i, const struct message *m, const char *subject);

enum { LENGTHS = 3 };

/* The history of one host: the intervals that history_add() has added. */
struct host_history {
	char *host, *id;
	uint64_t epoch, number; /* epoch and number of the last interval */
	/* start of the first and end of the last interval, ns since 1970 */
	uint64_t from, to;
	uint64_t count;           /* number of intervals */
	uint64_t length[LENGTHS]; /* lengths of the last LENGTHS intervals, ns */
	struct strbuf missing;    /* lines that name the gaps between intervals */
	bool cut;                 /* @missing is full, so it lacks some gaps */
	bool relay;               /* the host is a relay, which has no history */
};

/* The history of one program on all hosts. */
struct history {
	VEC(struct host_history) v; /* sorted by host and ID */
	uint64_t from, to;          /* intervals that end after @from and not after @to count */
	/*
	 * length of a period, ns; there is one sum for each period; 0: the whole time is one period
	 */
	uint64_t step;
	/* sum of each period, or NULL if no interval ends in the period */
	VEC(struct aggsum *) sum;
};

/* Returns the history of a host. Adds an empty one to @h if there is none. */
struct host_history *history_of(struct history *h, const char *host, const char *id);

/*
 * Adds the interval @i with the aggregation file @file of @size bytes. Ignores an interval that
 * ends outside (h->from, h->to], or that was added before. The caller must add the intervals of one
 * host in the order of their times. Returns whether the interval was added.
 */
bool history_add(struct history *h, const struct interval *i, const void *file, size_t size);

/*
 * Appends a line "HOST: ..." for each gap in the history of a host. @now is the present time, ns
 * since 1970. The newest intervals do not count as missing, because their messages may still be in
 * transit. Returns the number of hosts without a gap.
 */
size_t history_missing(const struct history *h, uint64_t now, struct strbuf *out);

void history_release(struct history *h);

#endif
