/* identity.c - hashes machine IDs and certificates, by libsodium. */
#include "fleet/identity.h"

#include <errno.h>
#include <sodium.h>
#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"
#include "fleet/files.h"

enum { ID_BYTES = 16, PRINT_BYTES = 8, CERT_MAX = 1 << 20 };

static void add_hex(struct strbuf *b, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(b, "%02x", p[i]);
}

/* Reads a file of 32 hexadecimal digits and a line end. */
static bool read_machine(uint8_t id[ID_BYTES], const char *path)
{
	struct strbuf b = {0};
	size_t n = 0;
	bool ok = file_get(path, 0, 64, &b) && b.len >= 2 * (size_t)ID_BYTES &&
		  (b.len == 2 * (size_t)ID_BYTES || b.s[2 * ID_BYTES] == '\n') &&
		  !sodium_hex2bin(id, ID_BYTES, b.s, 2 * (size_t)ID_BYTES, NULL, &n, NULL) &&
		  n == ID_BYTES;

	strbuf_release(&b);
	return ok;
}

static void hash_machine(struct strbuf *id, const uint8_t machine[ID_BYTES])
{
	uint8_t app[ID_BYTES], mac[crypto_auth_hmacsha256_BYTES];
	crypto_auth_hmacsha256_state st;

	sodium_hex2bin(app, sizeof(app), IDENTITY_APP, strlen(IDENTITY_APP), NULL, NULL, NULL);
	crypto_auth_hmacsha256_init(&st, machine, ID_BYTES);
	crypto_auth_hmacsha256_update(&st, app, sizeof(app));
	crypto_auth_hmacsha256_final(&st, mac);
	/* like systemd, mark the hash as a random UUID by these bits */
	mac[6] = (uint8_t)((mac[6] & 0x0f) | 0x40);
	mac[8] = (uint8_t)((mac[8] & 0x3f) | 0x80);
	add_hex(id, mac, ID_BYTES);
}

/* Appends the start of the fingerprint of the file's first certificate. */
static bool add_fingerprint(struct strbuf *id, const char *path)
{
	static const char begin[] = "-----BEGIN CERTIFICATE-----", end[] = "-----END";
	uint8_t sha[crypto_hash_sha256_BYTES];
	struct strbuf pem = {0}, der = {0};
	const char *from, *to = NULL;
	size_t n = 0;
	bool ok = file_get(path, 0, CERT_MAX, &pem);

	from = ok ? strstr(strbuf_text(&pem), begin) : NULL;
	if (from) {
		from += strlen(begin);
		to = strstr(from, end);
	}
	ok = to;
	if (ok) {
		/*
		 * Makes room for the decoded bytes, which are fewer than the encoded ones and
		 * replace them.
		 */
		strbuf_add(&der, from, (size_t)(to - from));
		ok = !sodium_base642bin((uint8_t *)der.s, der.len, from, (size_t)(to - from),
					" \r\n", &n, NULL, sodium_base64_VARIANT_ORIGINAL);
	}
	if (ok) {
		crypto_hash_sha256(sha, (const uint8_t *)der.s, n);
		strbuf_addc(id, '-');
		add_hex(id, sha, PRINT_BYTES);
	}
	strbuf_release(&pem);
	strbuf_release(&der);
	return ok;
}

bool identity_read(struct strbuf *id, const char *machine, const char *cert, struct strbuf *wrong)
{
	uint8_t m[ID_BYTES];

	if (sodium_init() < 0) {
		strbuf_adds(wrong, "libsodium does not work here");
		return false;
	}
	if (!read_machine(m, machine)) {
		strbuf_addf(wrong, "%s: no machine ID (systemd-machine-id-setup makes one)",
			    machine);
		return false;
	}
	hash_machine(id, m);
	sodium_memzero(m, sizeof(m));
	if (cert && !add_fingerprint(id, cert)) {
		strbuf_addf(wrong, "%s: the file has no certificate", cert);
		return false;
	}
	return true;
}

bool is_identity(const char *s)
{
	size_t n = s ? strspn(s, "0123456789abcdef-") : 0;

	return n && !s[n] && n <= IDENTITY_MAX;
}

bool identity_same_machine(const char *a, const char *b)
{
	size_t n = strcspn(a, "-");

	return n && n == strcspn(b, "-") && !memcmp(a, b, n);
}
