/*
 * budget.h - limits the time that the files and processes of one owner take, so that no user can
 * stop a run.
 */
#ifndef PROCINFO_BUDGET_H
#define PROCINFO_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum budget {
	BUDGET_FILES, /* work of the readers of files (symbols.h) */
	/* these two grow by a twentieth of the run's time */
	BUDGET_MAPS,   /* reading mappings of processes */
	BUDGET_GROUPS, /* reading control groups */
};

/*
 * Returns whether the owner has time left. @owner is the number of a user, or another number of an
 * owner of files. Root (0) always has time. If the time is used up, sets @first to whether this is
 * the first such answer about the owner.
 */
bool budget_left(enum budget b, uint64_t owner, bool *first);

/* Counts @ns nanoseconds as spent for the owner. */
void budget_spend(enum budget b, uint64_t owner, uint64_t ns);

#endif
