/*
 * sign.h - signed messages. A signed message has three parts:
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

/*
 * Makes a new key pair. @seed gets the secret key and @key gets the public key. Returns false if
 * libsodium does not work.
 */
bool sign_new(uint8_t seed[SEED_SIZE], uint8_t key[KEY_SIZE]);

/*
 * Signs the message of @n bytes at @p with the secret key @seed, and appends the signed message to
 * @out. Returns false if libsodium does not work.
 */
bool sign_seal(struct strbuf *out, const uint8_t seed[SEED_SIZE], const void *p, size_t n);

/*
 * Checks the signature of the signed message in @data. Stores the message, which is borrowed from
 * @data, in @p and @n, and the sender's public key in @key. Returns false if the signature is
 * invalid.
 */
bool sign_open(const void *data, size_t size, const void **p, size_t *n, uint8_t key[KEY_SIZE]);

#endif
