/* clang-format off */
/*
 * file.h - aggregation files. A file contains a snapshot of all aggregations of a run. The same
 * bytes are also sent in messages.
 *
 *	"DTRAGG04"
 *	u64 program   str host   u64 run   u64 epoch   u64 sequence   u64 time   u64 matched
 *	u32 number of losses         { str kind   u64 count }
 *	u32 number of aggregations   { str name   str function   i64 parameter * 4   i64 normal
 *	                               u32 bytes of a value
 *	                               u32 number of keys   { u8 kind   u32 size   str label }
 *	                               u64 number of rows   { key   value } }
 *	u64 checksum of all bytes before it
 *
 * Numbers are little-endian. A str is a u32 length and that many bytes. A key is canonical, as in
 * agg_state.now. The table kinds[] in file.c numbers the kinds of keys. Stacks and symbols are
 * stored as text, because addresses mean nothing on another machine. Values are stored in the form
 * in which they are merged, not printed: avg() is a sum and a count.
 *
 * A snapshot contains the numbers since the start of the run. So the snapshot with the highest
 * sequence replaces all others of the same run.
 */
/* clang-format on */
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

/* Identifies a snapshot and the run that it was taken from. */
struct aggfile_id {
	uint64_t program; /* digest of the D text */
	const char *host; /* host name, or name of the capture that was replayed */
	/*
	 * A live run has a random number. A replay has a digest of the program, the options and the
	 * capture.
	 */
	uint64_t run;
	uint64_t epoch;    /* start of the run, in ns since 1970 */
	uint64_t sequence; /* number of the snapshot in the run, counted from 1 */
	uint64_t time;     /* time of the snapshot, in ns since 1970 */
	uint64_t matched;  /* number of probes that the program enabled on that host */
};

/*
 * Takes snapshots of all aggregations in @a, and appends them and the losses in @l to @out in the
 * form of a file. Aggregations that printa() has printed are included.
 */
void aggfile_write(struct strbuf *out, struct aggs *a, struct loss *l, const struct aggfile_id *id);

struct aggfile;

/*
 * Appends @f to @out in the form of a file, which aggfile_parse() can read. The caller may have
 * changed rows; each must still have the key fields and the value size of its aggregation.
 */
void aggfile_put(struct strbuf *out, const struct aggfile *f);

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
 * One aggregation of a file. The members of @info that locate an aggregation in maps are not set.
 * In @info.key, the size of a string or stack is 4 plus the length of the longest one in any row,
 * and at least 8. agg_key_part() reads the keys.
 */
struct aggfile_agg {
	struct agg_info info;
	int64_t normal;
	struct aggfile_row *row;
	size_t nrow;
};

/* A parsed file. Its arena owns all memory that it points to. */
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
 * Parses the @size bytes at @data, which may be hostile. @name is their name in messages. If the
 * bytes are not a valid file, returns NULL with the error in @d. The result does not refer to
 * @data. The caller frees the result with aggfile_free().
 */
struct aggfile *aggfile_parse(const char *name, const void *data, size_t size, struct diag *d);
void aggfile_free(struct aggfile *f);

/*
 * Appends the bytes of the open file @fd to @b, at most @most of them. If the file does not begin
 * with the magic number, reads only its beginning, so that an endless device or pipe does no harm.
 * aggfile_parse() rejects such a file later. On an error, or if the file has more than @most bytes,
 * returns false and sets @why as file_read_fd() does. The caller closes @fd.
 */
bool aggfile_read_fd(int fd, uint64_t most, struct strbuf *b, const char **why);

/*
 * Appends the bytes of the file at @path, which the user named, to @b. Returns false with the error
 * in @d if that fails, or if the file has more than AGGFILE_MAX bytes.
 */
bool aggfile_read(const char *path, struct strbuf *b, struct diag *d);

/*
 * Reads a file as aggfile_read() does, but another user may have written the file. Also refuses
 * files that file_open_listed() refuses, and files of more than AGGFILE_FOREIGN_MAX bytes.
 */
bool aggfile_read_foreign(const char *path, struct strbuf *b, struct diag *d);

#define AGGFILE_FOREIGN_MAX (256u << 20)
#define AGGFILE_MAX (2ull << 30) /* as large as the maximum of -x aggsize in a live run */

/* A filter for scandir(3). Returns nonzero if the entry may be an aggregation file. */
struct dirent;
int aggfile_filter(const struct dirent *e);

/*
 * Returns the FNV-1a checksum of the @n bytes at @p. The checksum detects damage, but not forgery.
 */
uint64_t aggfile_checksum(const void *p, size_t n);

/* Returns whether @a and @b are snapshots of the same run. */
bool aggfile_same_run(const struct aggfile *a, const struct aggfile *b);

/*
 * Returns whether @a and @b can be merged or compared. They must have the same aggregations and,
 * unless @any_program is set, come from the same program text. On failure, sets @d to the reason.
 */
bool aggfile_agree(const struct aggfile *a, const struct aggfile *b, bool any_program,
		   struct diag *d);

#endif
