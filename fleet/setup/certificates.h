/* certificates.h - makes certificates with the command openssl. */
#ifndef FLEET_SETUP_CERTIFICATES_H
#define FLEET_SETUP_CERTIFICATES_H

#include <stdbool.h>

/* The owner of a certificate. */
enum certificate {
	CERTIFICATE_CA,     /* the owner is a CA, which signs other certificates */
	CERTIFICATE_SERVER, /* the owner is a server, for clients and for other servers */
	CERTIFICATE_CLIENT, /* the owner is a host, a viewer or an administrator */
};

/*
 * Makes a certificate for the DNS name or IP address @name, in the file "@base.pem", and its secret
 * key, in the file "@base.key" with mode 0600. The CA with the files "@ca.pem" and "@ca.key" signs
 * the certificate; for CERTIFICATE_CA, @ca is NULL. Does nothing if both files exist. Certificates
 * are valid for ten years. Prints an error and returns false on failure.
 */
bool certificate_make(enum certificate kind, const char *base, const char *name, const char *ca);

#endif
