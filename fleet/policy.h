/*
 * policy.h - what a host lets others ask of it: a file that its owner writes.
 *
 *	key HEX NAME          programs that this ed25519 key signed are taken; any number of lines
 *	probes PATTERN ...    of these probes alone (prov:mod:func:name); dtrace:::* and ticks are
 *always there seconds N             for so long at most keys N                with so many keys in
 *all aggregations at most bytes N               with so many bytes of them, and of output, at most
 *	rate N                at most a snapshot every so many milliseconds
 *	lease N               and not for longer than so many seconds without the server
 *	replay PATTERN ...    captures of these names may be asked about
 *
 * Destructive actions there are none.
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
 * Reads @text. False: @wrong has the line and the mistake. In either case the caller releases the
 * policy.
 */
bool policy_parse(struct policy *p, const char *text, struct strbuf *wrong);
void policy_release(struct policy *p);

/* Whose key is it?  NULL: nobody's. */
const char *policy_signer(const struct policy *p, const uint8_t key[KEY_SIZE]);

/*
 * A file's whole name, without ".." in it, that a pattern is for: each part of it one part of the
 * pattern.
 */
bool policy_replay(const struct policy *p, const char *path);

/* 64 digits; false: they are not that. */
bool key_parse(const char *hex, uint8_t key[KEY_SIZE]);

#endif
