/*
 * policy.h - the policy: a file in which a host's owner allows requests.
 *
 *	key HEX NAME          accept programs signed by this ed25519 key; any number of lines
 *	fleet NAME            accept requests for this fleet only; "default" without this line
 *	probes PATTERN ...    only these probes (prov:mod:func:name), dtrace:::* and ticks
 *	limit NAME RULE ...   other bounds for the keys of NAME: "seconds N", "rate N", "daily N",
 *	                      "cpu N", "memory N", "tasks N", "files N", "cost N", "probes
 *	                      PATTERN ..." in place of the general ones; "hosts TARGET ...",
 *	                      only the hosts that one of these targets selects (labels.h);
 *	                      "until YYYY-MM-DD", the last day, in UTC
 *	seconds N             maximum duration of a run
 *	keys N                maximum number of keys in all aggregations
 *	bytes N               maximum bytes of aggregations, and of output
 *	rate N                minimum time between snapshots, in milliseconds
 *	cpu N                 maximum CPU time of a run's dtrace, in percent of one CPU
 *	memory N              maximum bytes of memory of a run's dtrace
 *	tasks N               maximum number of processes and threads of a run's dtrace
 *	files N               maximum number of open files of a run's dtrace
 *	cost N                maximum CPU time of a run's probes, in percent of one CPU
 *	groups required       refuse runs that cannot have a control group ("optional": do not)
 *	lease N               maximum seconds without the server
 *	runs N                maximum number of runs at the same time
 *	daily N               maximum number of runs that one key starts in a day
 *	replay PATTERN ...    names of captures that may be replayed
 *
 * Destructive actions are never allowed. A line that has no effect is a mistake: a limit for a name
 * that no key has, or what an earlier line says or sets already.
 */
#ifndef FLEET_HOST_POLICY_H
#define FLEET_HOST_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

enum { KEY_SIZE = 32 };

#define FLEET_DEFAULT "default"

struct policy_key {
	uint8_t key[KEY_SIZE];
	const char *name;
};

typedef VEC(const char *) policy_patterns;

/* The bounds of one run. In the limit of an owner, 0 stands for the general bound. */
struct policy_use {
	uint64_t cpu;    /* percent of one CPU, for dtrace itself */
	uint64_t memory; /* bytes */
	uint64_t tasks;  /* processes and threads */
	uint64_t files;  /* open files */
	uint64_t cost;   /* percent of one CPU, for the probes */
};

/* The bounds for the keys of one owner. */
struct policy_limit {
	const char *name;              /* name of the owner; NULL if the owner has no limit */
	unsigned line;                 /* the first line with a limit for this owner */
	uint64_t seconds, rate, daily; /* as in struct policy */
	struct policy_use use;
	uint64_t until;                /* when the keys expire, seconds since 1970; 0 for never */
	policy_patterns probes, hosts; /* if @hosts is empty, the keys are for all hosts */
};

struct policy {
	struct arena mem;
	VEC(struct policy_limit) limit;
	VEC(struct policy_key) key;
	policy_patterns probes, replay;
	policy_patterns set; /* "WHAT OWNER": the single values that lines have set */
	const char *fleet;
	uint64_t seconds, keys, bytes, rate, lease, runs, daily;
	struct policy_use use;
	bool groups_required; /* a run that cannot have a control group is refused */
};

struct strbuf;

/*
 * Parses @text. Returns false, with the line and the mistake in @wrong, if it is invalid. The
 * caller releases the policy in both cases.
 */
bool policy_parse(struct policy *p, const char *text, struct strbuf *wrong);
void policy_release(struct policy *p);

/*
 * Returns the name of the key's owner, or NULL if the key is not listed or has expired at @now,
 * seconds since 1970.
 */
const char *policy_signer(const struct policy *p, const uint8_t key[KEY_SIZE], uint64_t now);

/*
 * Returns the bounds for the keys of owner @name. Where the policy has no special bound for this
 * owner, the result has the general bound. The lists in the result borrow from @p, and the caller
 * frees nothing.
 */
struct policy_limit policy_limit(const struct policy *p, const char *name);

/*
 * Returns whether @path matches a pattern of a line "replay". Returns false if @path is not
 * absolute or has a component "..". Each component of @path must match the component at the same
 * place in the pattern.
 */
bool policy_replay(const struct policy *p, const char *path);

/* Reads a key of 64 hexadecimal digits. Returns false if @hex is not such a key. */
bool key_parse(const char *hex, uint8_t key[KEY_SIZE]);

/* Appends a key as 64 hexadecimal digits. */
void key_text(struct strbuf *b, const uint8_t key[KEY_SIZE]);

#endif
