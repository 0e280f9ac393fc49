/*
 * inventory.h - the hosts of a fleet: those that have registered, and those that are expected.
 *
 * The inventory is a bucket of JetStream's key-value store:
 *
 *	host.NAME.ID      The host writes this entry. It has the host's version, labels and health.
 *	plan.NAME.RANDOM  An administrator writes this entry. It says that the host, or one machine
 *	                  with that name, is retired or expected, or that the host is a relay. The
 *	                  newest plan counts. The administrator's key signs it (admins.h).
 *
 * On a server without the accounts of permit.h, a client can make the server store an
 * acknowledgement as a message under any subject. So the client could replace any entry whose key
 * it can guess. That is why each key ends with an ID or a random part, which nobody can guess.
 *
 * A host that has registered is expected until it is retired. So viewers report it as missing,
 * however long it has been away.
 */
#ifndef FLEET_INVENTORY_H
#define FLEET_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "fleet/answer.h"
#include "fleet/status/health.h"

struct member {
	/*
	 * @id is "" if the member comes from a plan that names no machine. Machines of this name
	 * that have registered are other members.
	 */
	char *host, *id;
	char *version; /* version of the host's dtrace-fleet, safe to print; NULL if unknown */
	char *labels;  /* text of the host's labels (labels.h); NULL if it has none */
	/* when the host last registered, by the server's clock, ns since 1970; 0 if never */
	uint64_t seen;
	struct health health;
	/* when the newest plan for this member was signed, ns since 1970; 0 without a plan */
	uint64_t planned;
	bool registered, retired;
	bool relay; /* it has registered as a relay, which any host may do (inventory_is_relay()) */
	bool named_relay; /* the newest plan names it as a relay */
};

/* A plan that does not count, because no listed key has signed it. */
struct loose_plan {
	char *host;
	uint64_t time; /* when the server stored it, ns since 1970 */
};

struct inventory {
	VEC(struct member) v;        /* sorted by host and ID */
	struct known known;          /* public keys of hosts (answer.h) */
	const struct admins *admins; /* keys that must have signed plans; NULL: all plans count */
	VEC(struct loose_plan) loose;
	/*
	 * a line for each entry that the known key of its host has not signed, so that its labels
	 * and health may be forged
	 */
	struct strbuf forged;
	bool doubtful; /* @forged had a line (view_inventory()) */
};

/*
 * Adds an entry to @in; entries may come in any order. @time is when the server stored the entry,
 * or when an administrator has signed it, ns since 1970. Returns false if the entry is malformed.
 */
bool inventory_take(struct inventory *in, const char *subject, const void *data, size_t size,
		    uint64_t time);

/*
 * Adds an entry as a viewer receives it. A plan counts only if one of in->admins has signed it. For
 * the entry of a host, adds the host's key to the known keys if they have no key of this host. An
 * entry that another key has signed still counts, so the host is expected. But a line in in->forged
 * reports it, and the host's answers to a run do not count (answer_open()).
 */
void inventory_receive(struct inventory *in, const char *subject, const void *data, size_t size,
		       uint64_t time);

/*
 * Appends to in->forged a line about the plans that did not count. Omits a plan if a later plan for
 * the same name counts. The caller calls this when it has received all entries.
 */
void inventory_note_loose(struct inventory *in);

/*
 * Forgets what in->forged and inventory_note_loose() would report. The caller calls this if it has
 * not received all entries, and will receive them again: a plan that it has not received yet may
 * replace a plan that does not count.
 */
void inventory_forget_notes(struct inventory *in);

/* Returns whether @in->loose has a plan for a host of this name. */
bool inventory_has_loose(const struct inventory *in, const char *host);

/* Returns the member with this name and ID, which @in owns, or NULL if there is no such member. */
const struct member *inventory_find(const struct inventory *in, const char *host, const char *id);

/*
 * Returns whether an administrator has named the host as a relay. A relay answers for the hosts of
 * a site, so every run is for it, and viewers believe how many hosts it answers for.
 */
bool inventory_names_relay(const struct inventory *in, const char *host);

/*
 * Returns whether the member must answer for its site: an administrator has named it as a relay,
 * and it has registered as one. A named relay that has never registered must answer too, so that
 * viewers report its site as missing.
 */
bool inventory_is_relay(const struct inventory *in, const struct member *m);

/* The reason why the answer of a relay that no administrator has named does not count. */
extern const char relay_unnamed[];

/*
 * Returns whether a run for @target is for this host, so that an answer of the host counts. If
 * @labels is false, only the terms of @target about the name count: the labels of the host during
 * the run are not known. Each run is for a relay that an administrator has named, because it
 * answers for other hosts.
 */
bool inventory_is_asked(const struct inventory *in, const char *target, const char *host,
			const char *id, bool labels);

/* Returns whether each run should get an answer from this member. */
bool inventory_expects(const struct inventory *in, const struct member *m);

void inventory_release(struct inventory *in);

/* Appends the subject and the entry of the host with the ID @id. @labels may be "". */
void inventory_host(struct strbuf *subject, struct strbuf *b, const char *host, const char *id,
		    const char *version, const char *labels, const struct health *health);

/* Appends the subject and the entry of the relay @name with the ID @id. */
void inventory_relay(struct strbuf *subject, struct strbuf *b, const char *name, const char *id,
		     const char *version);

/* A plan for a host. PLAN_RELAY means that the host is a relay, and is expected; it names no ID. */
enum plan { PLAN_EXPECTED, PLAN_RETIRED, PLAN_RELAY };

/*
 * Appends the entry of a plan for the host, in fleet @fleet. If @id is "", the plan is for all
 * machines with the name @host. @time is the present time, ns since 1970.
 */
void inventory_plan(struct strbuf *b, const char *host, const char *id, enum plan plan,
		    const char *fleet, uint64_t time);

/* Appends the subject of a plan. @token is its random part, made by net_token(). */
void inventory_plan_subject(struct strbuf *subject, const char *host, const char *token);

#endif
