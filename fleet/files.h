/*
 * files.h - small files, and programs that are run.
 */
#ifndef FLEET_FILES_H
#define FLEET_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct strbuf;

/* "DIR/NAME", in @buf of PATH_MAX bytes, which is returned. */
const char *path_in(char *buf, const char *dir, const char *name);

/* Appends at most @most bytes from byte @from on; false: there is no such file. */
bool file_get(const char *path, uint64_t from, size_t most, struct strbuf *b);

/*
 * Replaces the file's content at once: if the process is killed, the file has the old or the new
 * one.
 */
bool file_put(const char *path, const void *p, size_t n);

/* And after the power went, too: it waits for the disk. */
bool file_keep(const char *path, const void *p, size_t n);

/* A number that file_put_number() left; 0: there is none. */
uint64_t file_get_number(const char *path);
bool file_put_number(const char *path, uint64_t v);
bool file_keep_number(const char *path, uint64_t v);

/* Its size; 0: there is none. */
uint64_t file_size(const char *path);

/* May those do anything with it that @mode says?  False, too, if it is not there. */
bool file_is_open_to(const char *path, mode_t mode);

/* Limits for a program; 0: no limit. */
struct limits {
	uint64_t file, memory; /* bytes; of each file, and of its own */
};

/*
 * Starts @argv (argv[0] is looked up in PATH) with standard output and error in new files (NULL:
 * /dev/null). The environment has no variable that would change dtrace. -1: see errno. An error
 * before the program begins is written to @err, and its status is 127.
 */
pid_t run_command(const char *const *argv, const char *out, const char *err,
		  const struct limits *l);

#endif
