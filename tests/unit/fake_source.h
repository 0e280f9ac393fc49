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
	/* called after each read of the map, to change values during a report */
	void (*each)(void);
	int nwait;       /* number of the next calls of wait() that return 1 */
	int wait_result; /* result of the calls after these */
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

/* The options of the next run, the signals that the run gets, and its exit status. */
extern struct consumer_opts opts;
extern volatile sig_atomic_t signals;
extern int status;

/* Makes a program with one clause for each probe, by default { trace(<int>); }. */
int setup(void **state);
int teardown(void **state);

#define RUN(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* Passes @k a record of probe @probe's clause, with the int @v as its data. */
void fire_int(struct record_sink *k, uint32_t probe, int32_t v);

/*
 * These functions pass a record to @k: begin_1() of BEGIN with the int 1, receive_5() of
 * ip:::receive with the int 5, and end_2() of END with the int 2.
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
