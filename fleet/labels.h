/*
 * labels.h - labels of hosts, and targets, which select hosts by name and labels.
 *
 * The labels of a host are a text "KEY=VALUE,KEY=VALUE". The text is sorted by key, and has each
 * key once. Keys and values consist of letters, digits and "-._/:".
 *
 * A target is a list of terms, separated by commas. A host is selected if all terms hold:
 *
 *	PATTERN         The host's name matches.
 *	KEY=PATTERN     The host has this label, and the label's value matches.
 *	KEY!=PATTERN    The host does not have this label, or its value does not match.
 *	~SEED/FROM-TO   target_share() of the host's name lies in this range. FROM and TO are
 *	                hexadecimal numbers.
 */
#ifndef FLEET_LABELS_H
#define FLEET_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum {
	LABEL_MAX = 64,   /* maximum size of a key or a value in bytes */
	LABELS_MAX = 960, /* maximum size of all labels of a host in bytes */
	TARGET_MAX = 960, /* maximum size of a target in bytes */
};

/*
 * Adds the labels in @text to @labels. Labels are separated by commas, blanks or line ends; a #
 * begins a comment. If @labels already has a key, the new value replaces the old one. Returns
 * false, with the reason in @wrong, if @text is malformed or there are too many labels.
 */
bool labels_add(struct strbuf *labels, const char *text, struct strbuf *wrong);

/* Returns whether @labels is a text as labels_add() makes it: valid, sorted, and each key once. */
bool are_labels(const char *labels);

/*
 * Returns whether @target selects the host. @labels may be NULL. A malformed term selects no host.
 */
bool target_match(const char *target, const char *host, const char *labels);

/*
 * Does what target_match() does, but ignores the terms about labels, for callers that do not know
 * the host's labels.
 */
bool target_match_name(const char *target, const char *host);

/* Returns false, with the reason in @wrong, if @target is malformed. */
bool target_check(const char *target, struct strbuf *wrong);

/*
 * Returns a hash of @seed and the host's name, in [0, 2^64). It chooses hosts by chance
 * (rollout.h).
 */
uint64_t target_share(const char *seed, const char *host);

/*
 * Appends to @target the term that selects the hosts whose target_share() lies in the range from
 * @from to @to, both included.
 */
void target_add_share(struct strbuf *target, const char *seed, uint64_t from, uint64_t to);

#endif
