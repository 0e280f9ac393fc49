/* clause.h - generates the code of one clause at one probe. */
#ifndef COMPILER_CODE_CLAUSE_H
#define COMPILER_CODE_CLAUSE_H

#include <stdint.h>

struct action_info;
struct clause_info;
struct enabling;
struct expr;
struct fire;
struct irb;

#define RECORD_MAX (16u << 20) /* maximum size of a record in bytes */

/*
 * Generates the code of clause @en in firing @g, one run of a probe's clauses. Describes the
 * clause's record in @ci. @epid is the enabled probe ID (epid) of the clause; for a family (probes
 * that differ only by a number), the epid at the clause's first probe.
 */
void gen_clause(struct fire *g, struct enabling *en, struct clause_info *ci, uint32_t epid);

/*
 * Adds a field for expression @e to the clause's record, for action @act. Called while the layout
 * of the record is computed.
 */
void record_arg(struct fire *g, struct action_info *act, const struct expr *e);

/*
 * Makes the clause's record part of the speculation whose number is in register @id. The numbers
 * are reused; register @turn counts the uses.
 */
void record_speculatively(struct fire *g, int id, int turn);

/* Discards the clause's record, if there is one, and leaves the clause. Ends the current block. */
void leave_clause(struct fire *g);

/* Returns a register with the clause's epid at the probe that fires. */
int fire_epid(struct fire *g);

/* Returns a register with the time in ns since 1970. */
int gen_walltime(struct fire *g);

/*
 * Sends the @size bytes at frame offset @rec as a separate record, and continues in block @told. If
 * the ring is full, block @lost adds 1 to @counter, an offset in struct percpu. This function
 * places both blocks.
 */
void gen_send(struct irb *b, int32_t rec, uint32_t size, int32_t counter, int lost, int told);

#endif
