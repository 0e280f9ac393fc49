/*
 * answer.h - signed messages of hosts, and the keys that viewers know. A host signs all of its
 * messages with a key of its own (sign.h).
 *
 * A viewer takes the key of a host from its file of known keys. If the key is not there, the viewer
 * takes it from the host's entry in the inventory, or from the host's first message, and adds it to
 * the file. So nobody can use another key for this host later.
 */
#ifndef FLEET_ANSWER_H
#define FLEET_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "fleet/host/policy.h"
#include "fleet/sign.h"

struct strbuf;

/*
 * Reads the host's seed from file @path, or makes one and writes it there. Returns false, with the
 * reason in @wrong, on failure.
 */
bool answer_key(uint8_t seed[SEED_SIZE], const char *path, struct strbuf *wrong);

struct known_key {
	char *who; /* "HOST.ID", written as in the subjects of the host's messages */
	uint8_t key[KEY_SIZE];
	bool is_new; /* not in the file */
	bool other;  /* the file has this host name only with other IDs and other keys */
};

struct known {
	VEC(struct known_key) v; /* sorted by who */
};

/*
 * Reads the file of known keys. A missing file counts as a file without keys. Returns false if the
 * file cannot be read completely: errno is then an error for file_error(), or 0 if a line is
 * malformed.
 */
bool known_read(struct known *k, const char *path);

/*
 * Adds the key of @who, unless @k already has a key of @who. Returns false if @is_new is set and
 * @who is not "HOST.ID".
 */
bool known_add(struct known *k, const char *who, const uint8_t key[KEY_SIZE], bool is_new);

/*
 * Appends the new keys to the file. On failure, returns false with an error for file_error() in
 * errno.
 */
bool known_write(struct known *k, const char *path);
void known_release(struct known *k);

/* Returns whether @k has a key of the host that @subject names. @parts is as for answer_open(). */
bool known_has(const struct known *k, const char *subject, int parts);

enum answer {
	ANSWER_GOOD, /* signed by the known key of the host that the subject names */
	/*
	 * the data is not a message, the subject does not name a host, or the host's name already
	 * has too many new IDs
	 */
	ANSWER_JUNK,
	ANSWER_UNSIGNED, /* the signature is wrong or missing; former versions did not sign */
	ANSWER_FOREIGN,  /* signed by another key than the known key of the host */
};

/*
 * Checks the message in @data. HOST.ID are the first two of the last @parts parts of @subject: for
 * "fleet.state.RUN.HOST.ID.EPOCH", @parts is 3. Sets @p and @n to the message without its
 * signature, which borrows from @data. If @k has no key of HOST.ID, adds the key of the message to
 * @k, for at most 64 new IDs of one HOST.
 */
enum answer answer_open(struct known *k, const char *subject, int parts, const void *data,
			size_t size, const void **p, size_t *n);

/* Why an answer does not count: the run's target does not select the host that sent it. */
#define ANSWER_NOT_ASKED "the run is not for this host"

/*
 * Returns a text that tells users why the message does not count. @a must be ANSWER_UNSIGNED or
 * ANSWER_FOREIGN.
 */
const char *answer_text(enum answer a);

#endif
