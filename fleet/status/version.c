/* version.c - compares versions of programs. */
#include "fleet/status/version.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "fleet/files.h"

#define PRODUCT "dtrace for Linux networks "

enum { SAID_MAX = 256 };

void program_note(struct program_file *f, const char *path)
{
	struct stat st;

	*f = (struct program_file){.path = path};
	if (stat(path, &st))
		return;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
}

/*
 * Runs dtrace with --version, and appends the version to @version. The version follows the name
 * PRODUCT in the output. Returns false if dtrace cannot be run.
 */
static bool read_version(const char *path, const char *dir, struct strbuf *version)
{
	const char *const argv[] = {path, "--version", NULL};
	char out[PATH_MAX];
	const char *product;
	struct limits none = {0};
	struct strbuf said = {0};
	int status = -1;
	pid_t pid = run_command(argv, path_in(out, dir, "version"), NULL, &none);
	bool ok = pid > 0 && waitpid(pid, &status, 0) == pid && !status &&
		  file_get(out, 0, SAID_MAX, &said) && said.len;

	unlink(out);
	if (ok) {
		product = strstr(strbuf_text(&said), PRODUCT);
		product = product ? product + strlen(PRODUCT) : "";
		strbuf_add(version, product, strcspn(product, "\n"));
	}
	strbuf_release(&said);
	return ok;
}

bool program_check(struct program_file *f, const char *version, const char *dir, struct strbuf *why)
{
	struct program_file now;
	struct strbuf other = {0};
	bool ok;

	program_note(&now, f->path);
	if (!f->ino || (now.dev == f->dev && now.ino == f->ino && now.ns == f->ns))
		return true;
	ok = read_version(f->path, dir, &other) && !strcmp(other.s, version);
	if (ok)
		*f = now;
	else
		strbuf_addf(why,
			    "dtrace was replaced by version %s, but this agent has version %s: "
			    "restart the agent",
			    other.len ? other.s : "unknown", version);
	strbuf_release(&other);
	return ok;
}
