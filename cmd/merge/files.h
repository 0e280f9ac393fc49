/*
 * files.h - dtrace --merge and --diff: files that -x aggout wrote.
 */
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

/* What -x says about them. */
struct aggfiles_how {
	bool follow;      /* read them again and again */
	bool any_program; /* texts of programs may differ */
	/*
	 * Gives up rights: called when the files are read and nothing of them is parsed; NULL:
	 * nothing. False: the error is in @d.
	 */
	bool (*opened)(struct diag *d);
	/*
	 * Files that are followed: opens them, since rights are given up already; it outlives the
	 * files.
	 */
	struct opener *opener;
};

/*
 * The files at @path, @n of them, and those in the folders there.  Of several snapshots of one run
 * the latest counts.  With @how->follow: waits until there is one, or somebody has interrupted, and
 * reads them again later. NULL with the error in @d; @path stays the caller's.
 */
struct aggfiles *aggfiles_open(const char *const *path, size_t n, const struct aggfiles_how *how,
			       volatile sig_atomic_t *interrupted, struct diag *d);
void aggfiles_free(struct aggfiles *a);

/* A program that has their aggregations. */
const struct program *aggfiles_program(const struct aggfiles *a);

/*
 * Its source.  If they are followed, they are read every @rate ns, and a readable @wake_fd (-1:
 * none) ends a wait.
 */
struct source *aggfiles_source(struct aggfiles *a, uint64_t rate, int wake_fd);

/*
 * Tells people about the files that were read last, a line each: which were left out, which are
 * normalized differently, and what their hosts lost.
 */
void aggfiles_tell(const struct aggfiles *a, FILE *err);

/*
 * Shows what is not the same in two files, as @o says.  The exit status; -1 with the error in @d.
 */
int aggfiles_diff(const char *const *path, size_t n, const struct aggfiles_how *how,
		  const struct consumer_opts *o, struct diag *d);

#endif
