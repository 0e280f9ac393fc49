/*
 * labels.h - labels of hosts, and targets, which select hosts by name and labels.
 *
 * The labels of a host are a text "KEY=VALUE,KEY=VALUE", sorted by key, each key once. Keys and
 * values consist of letters, digits and "-._/:".
 *
 * A target is a list of terms, separated by commas. A host that fulfils all of them is selected:
 *
 *	PATTERN         its name matches
 *	KEY=PATTERN     it has this label, and the value matches
 *	KEY!=PATTERN    it does not have this label, or the value does not match
 *	~SEED/FROM-TO   target_share() of its name lies in this range of hexadecimal numbers
 */
#ifndef FLEET_LABELS_H
#define FLEET_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum {
	LABEL_MAX = 64,   /* bytes of a key or a value */
	LABELS_MAX = 960, /* bytes of all labels of a host */
	TARGET_MAX = 960, /* bytes of a target */
};

/*
 * Adds the labels in @text to @labels. Labels are separated by commas, blanks or line ends; a #
 * begins a comment. A key that is there already gets the new value. Returns false, with the reason
 * in @wrong, if @text is malformed or there are too many labels.
 */
bool labels_add(struct strbuf *labels, const char *text, struct strbuf *wrong);

/* Returns whether @labels has the form that labels_add() makes. */
bool are_labels(const char *labels);

/* Returns whether @target selects the host. @labels may be NULL. A malformed term selects none. */
bool target_match(const char *target, const char *host, const char *labels);

/* Returns false, with the reason in @wrong, if @target is malformed. */
bool target_check(const char *target, struct strbuf *wrong);

/* Returns a number for the host; with another @seed, the same hosts have other numbers. */
uint64_t target_share(const char *seed, const char *host);

/* Appends the term for hosts whose number lies in the range from @from to @to, both included. */
void target_add_share(struct strbuf *target, const char *seed, uint64_t from, uint64_t to);

#endif
