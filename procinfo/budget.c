/* budget.c - limits the time that the files and processes of one owner take. */
#include "procinfo/budget.h"

#include <stddef.h>

#include "base/clock.h"
#include "base/vec.h"

#define SECOND UINT64_C(1000000000)

/*
 * Times in ns: for one owner, and for all owners together. A 1/@part of the time since the first
 * request is added to both; 0 stands for no such addition.
 */
static const struct {
	uint64_t one, all;
	unsigned part;
} limits[] = {
	[BUDGET_FILES] = {30 * SECOND, 120 * SECOND, 0},
	[BUDGET_MAPS] = {2 * SECOND, 8 * SECOND, 20},
	[BUDGET_GROUPS] = {2 * SECOND, 8 * SECOND, 20},
};

struct account {
	enum budget budget;
	uint64_t owner, ns;
	bool reported;
};

static VEC(struct account) accounts;
static uint64_t spent[sizeof(limits) / sizeof(*limits)]; /* by all owners except root */

static struct account *find(enum budget b, uint64_t owner)
{
	for (size_t i = 0; i < accounts.n; i++)
		if (accounts.v[i].budget == b && accounts.v[i].owner == owner)
			return &accounts.v[i];
	vec_push(&accounts, ((struct account){.budget = b, .owner = owner}));
	return &accounts.v[accounts.n - 1];
}

bool budget_left(enum budget b, uint64_t owner, bool *first)
{
	static uint64_t began;
	struct account *a = owner ? find(b, owner) : NULL;
	uint64_t more;

	began = began ? began : now_monotonic();
	more = limits[b].part ? (now_monotonic() - began) / limits[b].part : 0;
	if (!a || (a->ns < limits[b].one + more && spent[b] < limits[b].all + more))
		return true;
	*first = !a->reported;
	a->reported = true;
	return false;
}

void budget_spend(enum budget b, uint64_t owner, uint64_t ns)
{
	if (!owner)
		return;
	find(b, owner)->ns += ns;
	spent[b] += ns;
}
