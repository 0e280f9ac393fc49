/* version.h - notices that dtrace was replaced while its agent runs. */
#ifndef FLEET_STATUS_VERSION_H
#define FLEET_STATUS_VERSION_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/* The file of a program, as it was last seen. */
struct program_file {
	const char *path;
	uint64_t dev, ino, ns; /* ns: time of modification; all 0: unknown */
};

/* Notes the program's file. @path must stay valid. */
void program_note(struct program_file *f, const char *path);

/*
 * Returns whether the program may run: its file is the same as before, or has the version @version
 * as its --version says. Otherwise appends the reason to @why. @dir is a folder for a temporary
 * file.
 */
bool program_check(struct program_file *f, const char *version, const char *dir,
		   struct strbuf *why);

#endif
