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
 * Appends at most @most bytes of the file to @b, from byte @from on. Returns false, with the error
 * in errno, if the file cannot be opened.
 */
bool file_get(const char *path, uint64_t from, size_t most, struct strbuf *b);

/*
 * Replaces the file's content atomically: after a crash of the process, the file has the old or the
 * new content. Returns false, with the error in errno, on failure.
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
 * Reserves room on the disk for the small file @path, by writing a file "PATH.room" of FILE_ROOM
 * bytes. Returns false, with the error in errno, on failure, such as on a full disk.
 */
bool file_reserve(const char *path);

/*
 * Replaces the file's content as file_keep() does, with at most FILE_ROOM bytes. If the disk is
 * full, uses the room that file_reserve() has reserved. The room can be used once.
 */
bool file_keep_reserved(const char *path, const void *p, size_t n);

/* Returns the number that file_put_number() wrote to the file, or 0 if there is no such file. */
uint64_t file_get_number(const char *path);

/*
 * file_put_number() replaces the number in the file as file_put() does. If the disk is full, it
 * overwrites the existing file instead, which needs no room but is not atomic. file_keep_number()
 * replaces the number as file_keep() does.
 */
bool file_put_number(const char *path, uint64_t v);
bool file_keep_number(const char *path, uint64_t v);

/* Returns the size of the file in bytes, or 0 if there is no such file. */
uint64_t file_size(const char *path);

/* Identifies a version of a file, for file_has_changed(). */
struct file_version {
	uint64_t ns, ino; /* time of the last modification, ns since 1970, and the inode's number */
};

/*
 * Returns whether the file differs from version @v, and stores the new version there. A file that
 * does not exist counts as unchanged.
 */
bool file_has_changed(const char *path, struct file_version *v);

/* Returns whether the file exists and has at least one of the permission bits in @mode. */
bool file_is_open_to(const char *path, mode_t mode);

/*
 * Returns the reason why other users could change or replace the file or folder @path, or NULL if
 * only this user and root can. Returns NULL for a file that does not exist.
 */
const char *file_weakness(const char *path);

/* Limits for a program. 0 means that there is no limit. */
struct limits {
	/* bytes of each file that the program writes, and of the program's data (RLIMIT_DATA) */
	uint64_t file, memory;
	uint64_t open; /* number of open files */
	/* control group to enter, as for group_enter(); NULL: the caller's group */
	const char *groups;
};

/* Removes all files in the folder @dir, if the folder exists. */
void folder_empty(const char *dir);

/*
 * Starts the command @argv with the limits @l. argv[0] is looked up in PATH. Standard output and
 * standard error are written to the new files @out and @err, or to /dev/null where these are NULL.
 * The environment has only PATH and LC_ALL, so no variable changes what dtrace does. When this
 * process ends, the command gets SIGTERM. Returns the command's process ID, or -1 with the error in
 * errno. If the command cannot be started, the new process writes the reason to @err and exits with
 * status 127.
 */
pid_t run_command(const char *const *argv, const char *out, const char *err,
		  const struct limits *l);

#endif
