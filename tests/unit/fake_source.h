/*
 * fake_source.h - a program and a source of events for unit tests of whole runs.
 *
 * A test changes the program and the fake source, and calls runs(). setup() resets both before each
 * test.
 */
#ifndef TESTS_UNIT_FAKE_SOURCE_H
#define TESTS_UNIT_FAKE_SOURCE_H

#include <signal.h>

#include "agg/agg.h"
#include "agg/table.h"
#include "base/arena.h"
#include "consumer/consumer.h"
#include "engine/source.h"
#include "ir/program.h"

enum { NCPU = 2, PERCPU = sizeof(struct percpu) + 64, KEYS = 32 };

typedef void step_fn(struct record_sink *k);

/* One entry of the fake source's only hash map. */
struct entry {
	unsigned char key[64];
	int64_t val[NCPU][4];
};

struct fake_source {
	struct source s;
	struct source_ops ops;
	step_fn *begin, *end, *wait, *stop;
	/* function that is called after the map was read, to change values during a report */
	void (*each)(void);
	int nwait;       /* number of further calls of wait() that return 1 */
	int wait_result; /* result of the later calls of wait() */
	bool went, stopped;
	uint64_t now;
	struct entry entry[KEYS];
	uint32_t nentry, value_size, deleted;
	_Alignas(8) unsigned char globals[GLOBAL_GEN_OFF + 64];
	_Alignas(8) unsigned char percpu[NCPU][PERCPU];
	struct source_loss loss;
};

extern struct fake_source fake;

/* The probes of the program. The program has one clause for each of them. */
enum { P_BEGIN, P_END, P_ERROR, P_RECEIVE };
extern struct map_def maps[4];
extern struct clause_info clauses[4];
extern struct agg_info aggs[2];
extern struct program prog;
extern struct action_info acts[4][4];
extern struct field int_field;

/* Options of the next run, the signal that the run gets, and the exit status of the run. */
extern struct consumer_opts opts;
extern volatile sig_atomic_t signals;
extern int status;

/* Makes a program with one clause for each probe, by default { trace(<int>); }. */
int setup(void **state);
int teardown(void **state);

#define RUN(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* Passes @k a record of the clause of probe @probe. The data of the record is the int @v. */
void fire_int(struct record_sink *k, uint32_t probe, int32_t v);

/*
 * Each of the functions begin_1(), receive_5() and end_2() passes one record to @k. The record is
 * of BEGIN with the int 1, of ip:::receive with 5, and of END with 2.
 */
void begin_1(struct record_sink *k);
void receive_5(struct record_sink *k);
void end_2(struct record_sink *k);

/* Returns the parsed format @text, which the arena owns. */
const struct format *format(const char *text);

/*
 * Runs the program with the option quiet set to @quiet. Checks that the run returns @result, prints
 * @out and reports the errors @err. The output of a program without aggregations ends with one more
 * newline, which @out leaves out.
 */
void runs(bool quiet, int result, const char *out, const char *err);

#define HEADER "CPU     ID                    FUNCTION:NAME\n"

#endif
