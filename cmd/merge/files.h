/* files.h - reads the files of --merge and --diff, which -x aggout wrote. */
#ifndef CMD_MERGE_FILES_H
#define CMD_MERGE_FILES_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct aggfiles;
struct consumer_opts;
struct diag;
struct opener;
struct program;
struct source;

/* How the files are read. */
struct aggfiles_how {
	bool follow;      /* -x follow: read the files again and again */
	bool any_program; /* -x anyprogram: the files may be of different programs */
	/*
	 * Gives up rights. Called between reading and parsing the files. Returns false with the
	 * error in @d. May be NULL.
	 */
	bool (*opened)(struct diag *d);
	/*
	 * Opens the files that are read again and again, because this process has given up the
	 * right to open files. Must outlive the result of aggfiles_open(). NULL without -x follow.
	 */
	struct opener *opener;
};

/*
 * Reads the @n files at @path. A path may be a folder, which stands for the files in it. Only the
 * latest snapshot of each run is kept. If @how->follow is set, waits until there is a file or
 * *@interrupted is set. Returns NULL on failure, with the error in @d. @path must outlive the
 * result, which aggfiles_free() frees.
 */
struct aggfiles *aggfiles_open(const char *const *path, size_t n, const struct aggfiles_how *how,
			       volatile sig_atomic_t *interrupted, struct diag *d);
void aggfiles_free(struct aggfiles *a);

/* Returns a program that has the aggregations of the files. @a owns it. */
const struct program *aggfiles_program(const struct aggfiles *a);

/*
 * Returns the source that provides the data for aggfiles_program(). With -x follow, the source
 * reads the files again every @rate ns. A wait of the source ends early when @wake_fd is readable.
 * @wake_fd may be -1.
 */
struct source *aggfiles_source(struct aggfiles *a, uint64_t rate, int wake_fd);

/*
 * Prints messages about the files that were read last, one line for each message. The messages name
 * files that were left out, files that are normalized differently, and losses of the hosts.
 */
void aggfiles_report(const struct aggfiles *a, FILE *err);

/*
 * Prints the differences between two files in the output form of @o. Returns 0, or -1 with the
 * error in @d.
 */
int aggfiles_diff(const char *const *path, size_t n, const struct aggfiles_how *how,
		  const struct consumer_opts *o, struct diag *d);

#endif
