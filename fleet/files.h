/* files.h - small files, and running programs. */
#ifndef FLEET_FILES_H
#define FLEET_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct strbuf;

/* Writes "DIR/NAME" to @buf, which has PATH_MAX bytes. Returns @buf. */
const char *path_in(char *buf, const char *dir, const char *name);

/*
 * Appends at most @most bytes of the file from byte @from on. Returns false if there is no such
 * file.
 */
bool file_get(const char *path, uint64_t from, size_t most, struct strbuf *b);

/*
 * Replaces the file's content atomically: after a crash of the process, the file has the old or the
 * new content. Returns false on failure.
 */
bool file_put(const char *path, const void *p, size_t n);

/*
 * Replaces the file's content as file_put() does, and waits for the disk: even after a power
 * failure, the file has the old or the new content.
 */
bool file_keep(const char *path, const void *p, size_t n);

/* Room that file_reserve() reserves, in bytes. */
enum { FILE_ROOM = 512 };

/*
 * Reserves room on the disk for a small file, as "PATH.room". Returns false, with the error in
 * errno, if the disk is full.
 */
bool file_reserve(const char *path);

/*
 * Replaces the file's content as file_keep() does, with at most FILE_ROOM bytes. If the disk is
 * full, uses the room that file_reserve() has reserved, once.
 */
bool file_keep_reserved(const char *path, const void *p, size_t n);

/* Returns the number that file_put_number() wrote; 0: there is none. */
uint64_t file_get_number(const char *path);

/*
 * Replaces the number in the file as file_put() does. If the disk is full, overwrites the number
 * where it is.
 */
bool file_put_number(const char *path, uint64_t v);
bool file_keep_number(const char *path, uint64_t v);

/* Returns the size in bytes; 0: there is no file. */
uint64_t file_size(const char *path);

/* A version of a file, for file_has_changed(). */
struct file_version {
	uint64_t ns, ino; /* time of the last change, ns since 1970; inode */
};

/*
 * Returns whether the file differs from version @v, and stores the new version there. A file that
 * does not exist counts as unchanged.
 */
bool file_has_changed(const char *path, struct file_version *v);

/* Returns whether the file exists and has any permission of @mode. */
bool file_is_open_to(const char *path, mode_t mode);

/* Limits of a program, in bytes; 0: no limit. */
struct limits {
	uint64_t file, memory; /* size of each file; size of its memory */
	uint64_t open;         /* number of open files, not bytes */
};

/* Removes all files in the folder @dir, if the folder exists. */
void folder_empty(const char *dir);

/*
 * Starts @argv (argv[0] is looked up in PATH) with standard output and error in new files (NULL:
 * /dev/null). The environment has no variable that would change dtrace. Returns the process, or -1
 * with the error in errno. An error before the program begins is written to @err, and its status is
 * 127.
 */
pid_t run_command(const char *const *argv, const char *out, const char *err,
		  const struct limits *l);

#endif
