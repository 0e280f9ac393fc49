/* audit_log.h - prints the audit stream (audit.h). */
#ifndef FLEET_STATUS_AUDIT_LOG_H
#define FLEET_STATUS_AUDIT_LOG_H

#include <stdbool.h>
#include <stdint.h>

struct known;
struct net;

struct audit_query {
	uint64_t from, to; /* when the server stored the entries, ns since 1970 */
	const char *owner; /* owner of the key, or the beginning of the key; NULL for all */
	const char *host;  /* pattern for the names of hosts; NULL for all */
};

/*
 * Prints the entries to standard output, and checks their signatures with the keys in @k. Marks an
 * entry with a wrong signature, but prints it, because it may be the only trace of a request.
 * Returns false if entries are missing, or have wrong signatures.
 */
bool audit_print(struct net *n, struct known *k, const struct audit_query *q);

#endif
