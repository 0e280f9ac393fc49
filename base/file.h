/*
 * file.h - reads and writes files, including files that other users control.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"

struct stat;

/*
 * Maximum size of a text in bytes, so that a device that never ends (/dev/zero) does not fill the
 * memory.
 */
#define FILE_TEXT_MAX (64u << 20)

/*
 * Writes all @n bytes at @p, in several calls if needed. Returns false and sets errno on failure.
 */
bool file_write(int fd, const void *p, size_t n);

/*
 * Reads exactly @n bytes into @p, in several calls if needed. Returns false on an error, or if the
 * file ends first.
 */
bool file_read_exact(int fd, void *p, size_t n);

/*
 * Opens /dev/null in place of standard input, output or error if one of them is closed. Otherwise
 * the next file would get this number. /dev/null is opened for the wrong direction, so using the
 * closed file is still an error.
 */
void file_keep_standard(void);

/*
 * Closes the descriptors that this process has inherited, except 0 to 2 and those that @argv or the
 * environment names as /dev/fd/N or /proc/self/fd/N. Call it before other files are opened. A
 * confined process would keep what its caller has forgotten to close. Source: close_range(2).
 */
void file_close_inherited(char *const *argv);

/*
 * Returns whether users other than its owner and root may write to the file or folder @fd, which
 * has the status @st. @fd may be of O_PATH. The permission bits of the group count, because an ACL
 * for other users or groups cannot allow more than these bits. They do not count for the owner's
 * private group. This is a group with the owner's number, no other member in /etc/group and
 * /etc/passwd, and no ACL beside it. Needs /proc.
 */
bool file_is_open_to_others(int fd, const struct stat *st);

/*
 * Opens the file at @path for reading. Another user may own the file, or may have chosen the path.
 * @path is relative to the folder @dir, or to the working directory if @dir is AT_FDCWD. Links are
 * followed, including those of /proc.
 *
 * These files are refused, without opening them:
 * - files that are not regular: FIFOs, sockets, devices, folders, and links to such files;
 * - files larger than @most bytes;
 * - files on which a process holds a lease, because opening would wait for that process.
 *
 * The owner can still change, extend or truncate the file. So do not map the file, read at most
 * @most bytes, and expect fewer. On a file system in user space (FUSE) that root may read, looking
 * up the path can still block: procinfo/mounts.h detects such files.
 *
 * Returns a descriptor that the caller closes. The descriptor is close-on-exec and non-blocking,
 * which makes no difference for regular files. On failure, returns -1 and sets @why to the reason.
 * The reason is a constant text or a text of strerror(), which the next call of strerror()
 * overwrites. Needs /proc.
 */
int file_open_foreign(int dir, const char *path, uint64_t most, const char **why);

/*
 * Works as file_open_foreign(), for a file that the caller found by listing a folder. The user did
 * not name this file, so a link is followed only if root or our user made it (see "another user"
 * below). A file or link of the user who called sudo(8) must lead to a file of that user.
 */
int file_open_listed(const char *path, uint64_t most, const char **why);

/*
 * Works as file_open_foreign(), for a file that our user named and another user may have written.
 * Refuses a link in a folder that another user may write to, at each place of the path, and a file
 * of ours with several names in such a folder: another user could choose the file that is read.
 */
int file_open_of_others(const char *path, uint64_t most, const char **why);

/*
 * Opens a file with file_open_foreign() and appends its bytes and a NUL to @b. A file that grows
 * beyond @most bytes while it is read is refused, too. Returns false and sets @why on failure.
 */
bool file_read_foreign(int dir, const char *path, uint64_t most, struct strbuf *b,
		       const char **why);

/*
 * Reads the open file @fd from its current offset and appends the bytes and a NUL to @b. The limit
 * and the errors are those of file_read_foreign(). The caller closes @fd.
 */
bool file_read_fd(int fd, uint64_t most, struct strbuf *b, const char **why);

/*
 * Output files: -o, aggout, capture and freopen() use the functions below.
 *
 * They resolve the path one folder at a time, by descriptor, so nobody can exchange a folder
 * between the check and its use. A folder is shared if another user can create files in it:
 *   - its mode or its ACL lets others write (the sticky bit does not help);
 *   - another user owns it;
 *   - another user can replace one of the folders above it.
 *
 * In a shared folder, links are not followed, and a file is written or replaced only if our user
 * owns it and it has a single name. In other folders, links are followed. "Another user" is neither
 * root, nor the user of this process, nor the user who called sudo(8). But a link in a folder of
 * the user who called sudo(8) may only lead to a file of that user.
 *
 * An error is a positive errno or one of enum file_errors. EAGAIN means that a process holds a
 * lease on the file. All functions need /proc.
 */
enum file_errors {
	FILE_IS_LINK = 4096, /* a link in a shared folder; larger than any errno */
	/* another user's file, or a file with several names, in a shared folder */
	FILE_NOT_OURS,
	FILE_OF_CALLER, /* a link of the user who called sudo(8), to a file of another user */
	FILE_IS_SHARED, /* others may write to the file, or replace it: only file_check_owner() */
};

/* Returns the text of an error. Borrowed: the next call of strerror() may overwrite it. */
const char *file_error(int err);

/*
 * Opens the file at @path for writing, or creates it with mode 0666 minus the umask. @how is
 * O_APPEND or O_TRUNC. Pipes, devices and links to open files (/dev/stdout) are opened without the
 * checks for regular files. Returns a close-on-exec descriptor that the caller closes. On failure,
 * returns -1 and sets errno to one of the errors above.
 */
int file_open_output(const char *path, int how);

/*
 * Replaces the contents of the file at @path by the @n bytes at @p. The bytes are written to a
 * hidden file in the same folder, with the owner and mode of the old file. The hidden file is then
 * renamed over the old file, so a reader sees either the old or the new contents. If there is no
 * old file, the new file gets @mode minus the umask.
 *
 * The file is overwritten instead if it cannot be replaced: it is a mount point, we may not create
 * files in the folder, or we may not give a file to the old owner. A concurrent reader may then see
 * a part of the contents. If @lasting is set, the bytes are on the disk before the rename, so a
 * power failure leaves the old or the new contents. Returns 0 or one of the errors above, which
 * file_error() puts in words.
 */
int file_replace(const char *path, const void *p, size_t n, mode_t mode, bool lasting);

/* Checks that file_replace() could write or create @path. Returns 0 or one of the errors above. */
int file_can_replace(const char *path);

/*
 * Checks that nobody except root, our user and the user who called sudo(8) can change or replace
 * the existing file or folder @path. Returns 0 or one of the errors above.
 */
int file_check_owner(const char *path);

/*
 * Resolves the links of @path. Returns the path to give to file_replace(); the caller frees it with
 * xfree(). Returns NULL with errno 0 if @path is a pipe, a device or an open file, which can only
 * be written to. Returns NULL with one of the errors above in errno on failure.
 */
char *file_resolve_output(const char *path);

#endif
