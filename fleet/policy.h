/*
 * policy.h - what a host allows others to request: a file that its owner writes.
 *
 *	key HEX NAME          accept programs signed by this ed25519 key; any number of lines
 *	probes PATTERN ...    only these probes (prov:mod:func:name), dtrace:::* and ticks
 *	seconds N             maximum duration of a run
 *	keys N                maximum number of keys in all aggregations
 *	bytes N               maximum bytes of aggregations, and of output
 *	rate N                minimum time between snapshots, in milliseconds
 *	lease N               maximum seconds without the server
 *	runs N                maximum number of runs at the same time
 *	replay PATTERN ...    names of captures that may be replayed
 *
 * Destructive actions are never allowed.
 */
#ifndef FLEET_POLICY_H
#define FLEET_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

enum { KEY_SIZE = 32 };

struct policy_key {
	uint8_t key[KEY_SIZE];
	const char *name;
};

struct policy {
	struct arena mem;
	VEC(struct policy_key) key;
	VEC(const char *) probes, replay;
	uint64_t seconds, keys, bytes, rate, lease, runs;
};

struct strbuf;

/*
 * Parses @text. Returns false, with the line and the mistake in @wrong, if it is invalid. The
 * caller releases the policy in both cases.
 */
bool policy_parse(struct policy *p, const char *text, struct strbuf *wrong);
void policy_release(struct policy *p);

/* Returns the name of the key's owner, or NULL if the key is not listed. */
const char *policy_signer(const struct policy *p, const uint8_t key[KEY_SIZE]);

/*
 * Returns whether @path matches a pattern. It must be absolute, without "..". Each component must
 * match a component of the pattern.
 */
bool policy_replay(const struct policy *p, const char *path);

/* Reads a key of 64 hexadecimal digits. Returns false if @hex is none. */
bool key_parse(const char *hex, uint8_t key[KEY_SIZE]);

#endif
