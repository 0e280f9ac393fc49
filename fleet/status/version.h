/* version.h - notices that dtrace was replaced while its agent runs. */
#ifndef FLEET_STATUS_VERSION_H
#define FLEET_STATUS_VERSION_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/* The file of a program, as it was last seen. */
struct program_file {
	const char *path;
	/* device, inode and time of modification (ns since 1970); all are 0 if unknown */
	uint64_t dev, ino, ns;
};

/* Stores the present state of file @path in @f. @path must stay valid as long as @f. */
void program_note(struct program_file *f, const char *path);

/*
 * Returns whether the program may run: its file has not changed since program_note(), or the new
 * file has version @version. Runs the new file with --version to find out. If the program may not
 * run, appends the reason to @why. @dir is a folder for a temporary file.
 */
bool program_check(struct program_file *f, const char *version, const char *dir,
		   struct strbuf *why);

#endif
