/*
 * sign.c - signatures, by libsodium.
 */
#include "fleet/sign.h"

#include <sodium.h>
#include <string.h>

#include "base/strbuf.h"

_Static_assert((int)crypto_sign_PUBLICKEYBYTES == (int)KEY_SIZE, "ed25519");
_Static_assert((int)crypto_sign_BYTES == (int)SIGNATURE_SIZE, "ed25519");
_Static_assert((int)crypto_sign_SEEDBYTES == (int)SEED_SIZE, "ed25519");

bool sign_new(uint8_t seed[SEED_SIZE], uint8_t key[KEY_SIZE])
{
	uint8_t secret[crypto_sign_SECRETKEYBYTES];

	if (sodium_init() < 0)
		return false;
	randombytes_buf(seed, SEED_SIZE);
	crypto_sign_seed_keypair(key, secret, seed);
	sodium_memzero(secret, sizeof(secret));
	return true;
}

bool sign_seal(struct strbuf *out, const uint8_t seed[SEED_SIZE], const void *p, size_t n)
{
	uint8_t key[KEY_SIZE], secret[crypto_sign_SECRETKEYBYTES], sig[SIGNATURE_SIZE];

	if (sodium_init() < 0)
		return false;
	crypto_sign_seed_keypair(key, secret, seed);
	crypto_sign_detached(sig, NULL, p, n, secret);
	sodium_memzero(secret, sizeof(secret));
	strbuf_add(out, key, sizeof(key));
	strbuf_add(out, sig, sizeof(sig));
	strbuf_add(out, p, n);
	return true;
}

bool sign_open(const void *data, size_t size, const void **p, size_t *n, uint8_t key[KEY_SIZE])
{
	const uint8_t *at = data;

	if (size < SIGNED_HEAD || sodium_init() < 0)
		return false;
	memcpy(key, at, KEY_SIZE);
	*p = at + SIGNED_HEAD;
	*n = size - SIGNED_HEAD;
	return !crypto_sign_verify_detached(at + KEY_SIZE, *p, *n, key);
}
