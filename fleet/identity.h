/* identity.h - the ID of a host, which distinguishes hosts with the same name. */
#ifndef FLEET_IDENTITY_H
#define FLEET_IDENTITY_H

#include <stdbool.h>

struct strbuf;

/*
 * The machine ID is confidential, so the ID of a host is a hash of the machine ID and this
 * constant. Other programs use other constants, so nobody can compare their hashes with ours.
 */
#define IDENTITY_APP "b4f8d7e6c2a14c0f9d3e5a7b81c6f024"

enum { IDENTITY_MAX = 64 };

/*
 * Appends the ID of this host: the machine ID in file @machine, hashed as by
 * sd_id128_get_machine_app_specific(3), as 32 hexadecimal digits. With a certificate @cert (a PEM
 * file, may be NULL), "-" and the first 16 digits of its SHA-256 fingerprint follow. Returns false,
 * with the reason in @wrong, on failure.
 */
bool identity_read(struct strbuf *id, const char *machine, const char *cert, struct strbuf *wrong);

/* Returns whether @s consists of hexadecimal digits and "-", and has 1 to IDENTITY_MAX bytes. */
bool is_identity(const char *s);

/* Returns whether two IDs are of the same machine, even if their certificates differ. */
bool identity_same_machine(const char *a, const char *b);

#endif
