/*
 * units.h - units while they are generated, for the files of this folder. A unit is the eBPF
 * program of one hook; a hook is a place where the kernel runs a program.
 */
#ifndef COMPILER_CODE_UNITS_UNITS_H
#define COMPILER_CODE_UNITS_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "compiler/code/layout.h"
#include "ir/program.h"

struct compile_dump;
struct compiler;
struct enabling;
struct fire;
struct hook;
struct hook_use;
struct ir_area;
struct ir_func;
struct ir_unit;
struct irb;
struct probe;
struct unit_build;

/*
 * Number of instructions above which a unit is cut into parts. For longer units, the verifier's
 * time grows with the square of the length.
 */
#define UNIT_LONG 24000

/* Kernel functions (kfuncs) that programs call. The values are indexes in program.kfunc. */
enum { KF_CAST, KF_CTX, KF_DYNPTR, KF_SLICE, KF_MAX };

/*
 * One clause at one probe, or at several probes of a family (probes of one hook that differ only by
 * a number).
 */
struct site {
	struct enabling *en;
	/* 1 + the index in program.clause of the first probe's entry; 0 if the clause is hidden */
	uint32_t epid;
	/* for a family, the probes of the clause, which have consecutive epids; else NULL */
	struct probe **probe;
	uint32_t nprobe;
	uint32_t length; /* number of IR operations of the clause when it was last generated */
};

/* A probe that fires from one hook. All enabled probes of a family share one struct firing. */
struct firing {
	struct probe *probe;
	struct hook_use *use;
	VEC(struct site) site;
};

/*
 * A unit to be generated. It has all clauses of one hook, or some of them if the unit was cut into
 * parts.
 */
struct hook_unit {
	struct hook *hook;
	VEC(struct firing) firing;
	/* 1 + the index of the unit whose backup this unit is; 0 if this unit is no backup */
	uint32_t backup_of;
	/* offset of this unit's busy words in the MAP_PERCPU value; see nesting.c */
	uint32_t busy;
	bool within;    /* the unit may fire while a program of another unit runs on the CPU */
	bool continues; /* the unit is a later part of a unit that was cut; see parts.c */
	bool resumes;   /* the first firing of this unit began in the previous part */
	bool goes_on;   /* the last firing of this unit continues in the next part */
	/* map for the state of a firing that is split over two parts; 0 if there is none */
	int carry;
};

struct linker {
	struct compiler *c;
	struct program *p;
	struct layout layout;
	VEC(struct hook_unit) unit;
	VEC(struct unit) out; /* the units that are generated so far, in the order of @unit */
	/* the clauses of ERROR, which become a function of every unit whose clauses may fault */
	struct hook_unit error;
	VEC(struct probe *) probe;
	VEC(struct clause_info) clause;
	/* offset in the MAP_PERCPU value of the number of running programs; see count_running() */
	uint32_t running;
	const struct compile_dump *dump;
	/* memory for the IR of the unit that is generated; this is most of a compile's memory */
	struct arena ir;
};

/* ---- target.c ---- */

/* Fills in program.kfunc. */
void target_add_kfuncs(struct linker *l);

/* Fills in program.active, if the kernel has what it needs. */
void target_find_counter(struct linker *l);

/*
 * Returns the BTF id of a struct that begins with an int, to which a program can cast the address
 * of a counter of the kernel, or 0 if programs cannot cast.
 */
uint32_t target_counter(const struct compiler *c);

/* ---- gather.c ---- */

/*
 * Adds the clauses of all enablings to the units in @l->unit, one unit for each hook. Sorts the
 * firings of each unit by rank, the order in which the library texts derive their probes.
 */
void units_gather(struct linker *l);

/* Inserts unit @hu at index @at. Pointers into @l->unit are invalid afterwards. */
void units_insert(struct linker *l, uint32_t at, struct hook_unit hu);

/*
 * unit_has_backup() returns whether the unit needs a backup. units_add_backup() inserts the backup
 * of unit @i after unit @i.
 */
bool unit_has_backup(const struct linker *l, const struct hook_unit *hu);
void units_add_backup(struct linker *l, uint32_t i);

/*
 * Counts, for each aggregation, the units that update it. If there are several, one update can
 * interrupt another.
 */
void units_count_aggs(struct linker *l);

/* Returns how many of the unit's firings run hidden clauses. */
unsigned unit_count_hidden(const struct hook_unit *hu);

/* ---- nesting.c ---- */

/*
 * Reserves words in the MAP_PERCPU value that say which units run. Call it before any unit is
 * generated. Returns 0, or -1 with the error recorded.
 */
int units_place_busy_words(struct linker *l);

/* Returns the size in bytes of the unit's busy words. */
uint32_t unit_busy_size(const struct linker *l, const struct hook_unit *hu);

/*
 * Emits the start of a backup. The word at @busy of the MAP_PERCPU value is 0, or the address of
 * the int in which the kernel counts that the unit runs on this CPU (struct active_counter).
 * @counter is the result of target_counter(). The backup jumps to @off unless the kernel has
 * skipped the unit for this event, or if the word is 0.
 */
void enter_backup(struct irb *b, uint32_t busy, uint32_t counter, int off);

/* Returns the value of unit.active_at. */
uint32_t unit_active_at(const struct linker *l, const struct hook_unit *hu);

/*
 * Returns whether unit @outer counts itself as running, because some other unit must not run while
 * @outer is interrupted.
 */
bool unit_counts(const struct linker *l, const struct hook_unit *outer);

/* Emits code that adds @by to the number of counted units that run on the CPU. */
void count_running(struct linker *l, struct irb *b, int by);

/*
 * Emits a test whether the interrupted code may hold a lock that the unit needs. If so, counts the
 * event as nested and jumps to @off.
 */
void test_running(struct linker *l, const struct hook_unit *hu, struct irb *b, int off);

/*
 * Returns whether each run of the unit claims a scratch area of its own, because a run can
 * interrupt another run of the same unit on the CPU.
 */
bool unit_claims_scratch(const struct linker *l, const struct hook_unit *hu);

/* ---- unit.c ---- */

/*
 * Generates the IR of unit @hu into @iru: the unit's main function, and all functions that the unit
 * calls. @index is the unit's index in @l->unit. Returns the register with the address of the
 * unit's scratch memory.
 */
int gen_unit(struct linker *l, struct hook_unit *hu, uint32_t index, struct ir_unit *iru);

/* Returns the state for generating the code of firing @f of unit @u with builder @b. */
struct fire fire_of(struct linker *l, struct irb *b, struct unit_build *u, const struct firing *f);

/* ---- early_exit.c ---- */

/*
 * Emits a test of one argument of the hook, or of its member: jumps to @off if no firing of the
 * unit can do anything with this value. The library's guards and predicates decide which value is
 * tested. Emits the test only if all of them compare the same value with few constants.
 */
void test_early_exit(struct linker *l, const struct hook_unit *hu, struct irb *b,
		     struct unit_build *u, int off);

/* ---- encode.c ---- */

/* Optimises the unit's IR, and dumps the IR if the user asked for that. */
void unit_optimise(struct linker *l, struct ir_unit *u);

/* Returns the number of operations of the unit's IR. Each becomes 1 to 2.2 instructions. */
uint32_t unit_count_ops(const struct ir_unit *u);

/*
 * Translates @iru into instructions and stores them in @u. In @iru, the function changes only the
 * place of the scratch area. Returns 0, BPF_STACK_EXCEEDED if the unit needs too much stack, or -1
 * with the error recorded.
 */
int unit_encode(struct linker *l, struct hook_unit *hu, const struct ir_unit *iru, struct unit *u);

/* Lets function @f spill values to scratch memory, whose address is in register @area. */
void unit_spill_to_scratch(struct ir_func *f, int area);

/* Frees the memory that unit_encode() reserved for scratch area @a. */
void unit_forget_area(struct linker *l, const struct ir_area *a);

/* Returns the number of maps that the code of @u uses. */
uint32_t unit_count_maps(const struct program *p, const struct unit *u);

/* ---- parts.c ---- */

/* Returns whether the unit can be cut into parts. */
bool unit_can_split(const struct linker *l, const struct hook_unit *hu);

/* Returns the number of parts for a unit of @length instructions. */
uint32_t parts_for_length(uint32_t length);

/*
 * Cuts unit @i, which was generated, into @n parts of about the same length: units @i, @i + 1 ...
 * All of them must be generated again. Returns 0, or -1 with the error recorded.
 */
int unit_split(struct linker *l, uint32_t i, uint32_t n);

/* ---- describe.c ---- */

/*
 * Returns the description of the unit for the engine. @socket is copied to the member socket of
 * struct unit.
 */
struct unit unit_describe(const struct linker *l, const struct hook_unit *hu, bool socket);

/* Returns whether code @f at @h, a hook of replay, may read the packet's socket. */
bool unit_reads_socket(struct linker *l, const struct hook *h, const struct ir_func *f);

/* Returns whether code @f at @h, a hook of replay, never reads the packet. */
bool unit_ignores_packet(const struct hook *h, const struct ir_func *f);

/* Returns whether the unit, in replay, keeps state from one event to the next. */
bool unit_is_stateful(const struct linker *l, const struct ir_unit *u);

/*
 * Returns the position of the user's longest clause in the unit, as text. The engine's message
 * names this clause if the kernel rejects the program as too long. Returns NULL if the unit has
 * only hidden clauses.
 */
const char *unit_longest_clause(struct linker *l, const struct hook_unit *hu);

/* Returns the size of the ring in bytes. The ring is small if no live probe makes records. */
uint32_t ring_size_for(const struct linker *l);

/* Fills in program.probe. */
void describe_probes(struct linker *l);

#endif
