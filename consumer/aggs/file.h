/*
 * file.h - aggregations in a file, or on their way to another machine.
 *
 *	"DTRAGG04"   u64 program   str host   u64 run   u64 epoch   u64 sequence   u64 time   u64
 *probes u32 losses   { str kind   u64 count } u32 aggregations { str name   str function   i64
 *parameter * 4   i64 normal   u32 bytes of a value u32 keys   { u8 kind   u32 size   str label }
 *	  u64 rows   { key as in agg_state.now   value } }
 *	u64 checksum of all that is before it
 *
 * The kinds of keys are the table kinds[] in file.c.  Numbers are little-endian; str is a u32
 * length and bytes.  Keys are typed: a number has 8 bytes, text and memory have their own length.
 * Stacks and symbols are text, because addresses mean nothing on another machine.  Values are as
 * they are merged, not as they are shown: an avg() is its sum and its count.  A snapshot is
 * cumulative: of the snapshots of one run, the one with the highest sequence says everything.
 */
#ifndef CONSUMER_AGGS_FILE_H
#define CONSUMER_AGGS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ir/program.h"

struct aggs;
struct diag;
struct loss;
struct strbuf;

struct aggfile_id {
	uint64_t program; /* digest of the D text */
	const char *host; /* where it ran, or what was replayed */
	/* live: a random number; replay: a digest of all that decides what is counted */
	uint64_t run;
	uint64_t epoch;    /* when it began, ns since 1970 */
	uint64_t sequence; /* of the snapshot, from 1 */
	uint64_t time;     /* when it was taken, ns since 1970 */
	uint64_t matched;  /* probes that its clauses are at, there */
};

/*
 * Appends to @out a snapshot of all aggregations in @a, those that were printed included, and the
 * losses in @l.
 */
void aggfile_write(struct strbuf *out, struct aggs *a, struct loss *l, const struct aggfile_id *id);

struct aggfile_loss {
	const char *kind;
	uint64_t count;
};

struct aggfile_row {
	const uint8_t *key;
	uint32_t klen;
	uint64_t *val;
};

/*
 * One aggregation.  The members of info that say where it is in maps are not set.  A string in a
 * key has room for the longest one.  agg_key_part() reads keys.
 */
struct aggfile_agg {
	struct agg_info info;
	int64_t normal;
	struct aggfile_row *row;
	size_t nrow;
};

/* A file that was read.  All it points to is in its arena. */
struct aggfile {
	struct arena mem;
	const char *path;
	struct aggfile_id id;
	struct aggfile_loss *loss;
	uint32_t nloss;
	struct aggfile_agg *agg;
	uint32_t nagg;
};

/*
 * Parses the @size bytes at @data, which anybody may have written; messages call them @name.
 * Returns NULL with the error in @d if aggfile_write() cannot have made them.  The caller frees the
 * result.
 */
struct aggfile *aggfile_parse(const char *name, const void *data, size_t size, struct diag *d);
void aggfile_free(struct aggfile *f);

/* Appends the bytes of the file at @path to @b.  Returns false with the error in @d. */
bool aggfile_read(const char *path, struct strbuf *b, struct diag *d);

/* The same for a file that another user may have put into a folder; see file_open_foreign(). */
bool aggfile_read_foreign(const char *path, struct strbuf *b, struct diag *d);

#define AGGFILE_FOREIGN_MAX (256u << 20) /* bytes of one such file */

/* True if a file of a folder is to be read: a filter for scandir(3). */
struct dirent;
int aggfile_filter(const struct dirent *e);

/* The checksum at the end, FNV-1a.  It finds damage, not forgery. */
uint64_t aggfile_checksum(const void *p, size_t n);

/* True if both are snapshots of one run. */
bool aggfile_same_run(const struct aggfile *a, const struct aggfile *b);

/*
 * True if both can be added up or compared: their aggregations are alike and, unless @any_program,
 * they come from the same program text.  Else the reason is in @d.
 */
bool aggfile_agree(const struct aggfile *a, const struct aggfile *b, bool any_program,
		   struct diag *d);

#endif
