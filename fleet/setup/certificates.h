/* certificates.h - makes certificates, by OpenSSL's command. */
#ifndef FLEET_SETUP_CERTIFICATES_H
#define FLEET_SETUP_CERTIFICATES_H

#include <stdbool.h>

/* What a certificate proves. */
enum certificate {
	CERTIFICATE_CA,     /* signs others */
	CERTIFICATE_SERVER, /* a server, towards clients and towards other servers */
	CERTIFICATE_CLIENT, /* a host, a viewer or an administrator */
};

/*
 * Makes the files @base.pem and @base.key (mode 0600), for the DNS name or IP address @name. The
 * files @ca.pem and @ca.key sign the certificate; for CERTIFICATE_CA, @ca is NULL. Keeps files that
 * exist. Certificates are valid for ten years. Prints an error, and returns false, on failure.
 */
bool certificate_make(enum certificate kind, const char *base, const char *name, const char *ca);

#endif
