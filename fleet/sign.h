/*
 * sign.h - signed messages: the sender's key and signature, then the message.
 *
 *	32 bytes public key   64 bytes ed25519 signature   message
 */
#ifndef FLEET_SIGN_H
#define FLEET_SIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/host/policy.h"

struct strbuf;

enum { SIGNATURE_SIZE = 64, SEED_SIZE = 32, SIGNED_HEAD = KEY_SIZE + SIGNATURE_SIZE };

/* Makes a new key pair. The seed is the secret. */
bool sign_new(uint8_t seed[SEED_SIZE], uint8_t key[KEY_SIZE]);

/* Appends the signed message of the @n bytes at @p. */
bool sign_seal(struct strbuf *out, const uint8_t seed[SEED_SIZE], const void *p, size_t n);

/*
 * Checks the signature. Stores the message, borrowed from @data, and the key. Returns false if the
 * signature is invalid.
 */
bool sign_open(const void *data, size_t size, const void **p, size_t *n, uint8_t key[KEY_SIZE]);

#endif
