/* certificates.c - makes certificates with the command openssl. */
#include "fleet/setup/certificates.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "fleet/files.h"

enum { SAID_MAX = 4096 };

typedef VEC(const char *) words;

static const char *const common[] = {
	"openssl",   "req",   "-x509",    "-config",
	"/dev/null", /* without -config, the system's openssl.cnf would add extensions */
	"-newkey",   "ec",    "-pkeyopt", "ec_paramgen_curve:P-256",
	"-noenc",    "-days", "3650",
};

static const char *const extensions[][3] = {
	[CERTIFICATE_CA] = {"basicConstraints=critical,CA:TRUE,pathlen:0",
			    "keyUsage=critical,keyCertSign", "subjectKeyIdentifier=hash"},
	[CERTIFICATE_SERVER] = {"basicConstraints=critical,CA:FALSE",
				"keyUsage=critical,digitalSignature",
				"extendedKeyUsage=serverAuth,clientAuth"},
	[CERTIFICATE_CLIENT] = {"basicConstraints=critical,CA:FALSE",
				"keyUsage=critical,digitalSignature",
				"extendedKeyUsage=clientAuth"},
};

static bool is_address(const char *name)
{
	uint8_t addr[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, name, addr) == 1 || inet_pton(AF_INET6, name, addr) == 1;
}

/*
 * Runs openssl. If openssl fails, prints its messages. @log is the path of a temporary file for
 * them.
 */
static bool run(const words *argv, const char *log)
{
	struct limits none = {0};
	struct strbuf said = {0};
	int status = -1;
	pid_t pid = run_command(argv->v, NULL, log, &none);
	bool ok = pid > 0 && waitpid(pid, &status, 0) == pid && !status;

	if (!ok) {
		file_get(log, 0, SAID_MAX, &said);
		fprintf(stderr, "dtrace-fleet: openssl made no certificate: %s\n",
			pid < 0    ? strerror(errno)
			: said.len ? strbuf_text(&said)
				   : "openssl printed no message");
		strbuf_release(&said);
	}
	unlink(log);
	return ok;
}

bool certificate_make(enum certificate kind, const char *base, const char *name, const char *ca)
{
	struct arena mem;
	words argv = {0};
	const char *pem, *key, *log;
	bool ok;

	arena_init(&mem);
	pem = arena_printf(&mem, "%s.pem", base);
	key = arena_printf(&mem, "%s.key", base);
	log = arena_printf(&mem, "%s.log", base);
	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++)
		vec_push(&argv, common[i]);
	for (size_t i = 0; i < 3; i++) {
		vec_push(&argv, "-addext");
		vec_push(&argv, extensions[kind][i]);
	}
	if (ca) {
		vec_push(&argv, "-CA");
		vec_push(&argv, arena_printf(&mem, "%s.pem", ca));
		vec_push(&argv, "-CAkey");
		vec_push(&argv, arena_printf(&mem, "%s.key", ca));
		vec_push(&argv, "-addext");
		vec_push(&argv, arena_printf(&mem, "subjectAltName=%s:%s",
					     is_address(name) ? "IP" : "DNS", name));
	}
	/* Only a CA has its name in the subject: other names may be too long for it. */
	vec_push(&argv, "-subj");
	vec_push(&argv, ca ? "/O=dtrace-fleet" : arena_printf(&mem, "/CN=%s", name));
	vec_push(&argv, "-keyout");
	vec_push(&argv, key);
	vec_push(&argv, "-out");
	vec_push(&argv, pem);
	vec_push(&argv, NULL);
	ok = (!access(pem, F_OK) && !access(key, F_OK)) || run(&argv, log);
	vec_free(&argv);
	arena_release(&mem);
	return ok;
}
