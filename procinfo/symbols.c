/*
 * symbols.c - opens files that processes have mapped, and gets their symbols from readers: confined
 * processes that parse the files.
 */
#include "procinfo/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/vec.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "procinfo/budget.h"
#include "procinfo/elf_rpc.h"
#include "procinfo/maps.h"
#include "procinfo/mounts.h"
#include "procinfo/process.h"
#include "sandbox/reader.h"

/* maximum number of open files, not counting kept ones; fewer than ELF_FILES */
#define FILES_OPEN 128
#define FILE_MAX (4ull << 30) /* maximum size of a file in bytes */
/* after this many bad files of one owner, no more files of that owner are read */
#define BAD_FILES 3
/* after this many bad files in total, only root's files are read */
#define BAD_ALL 64
#define LINES 8 /* maximum number of messages that are reported */
/* number of attempts to find a path in the kernel's cache of names */
#define LOOKUP_RETRIES 8
#define READERS 3 /* maximum number of running readers, not counting root's */
/*
 * limits in bytes of the memory for functions and static probes from files of one owner, and of all
 * owners together, except root; the limit for one file is ELF_LIST_MAX
 */
#define OWNER_LISTS_MAX (128u << 20)
#define ALL_OWNERS_LISTS_MAX (256u << 20)

/* Numbers of owners that are not users. OWNER_FUSE is added to a device number. */
#define OWNER_FUSE (1ull << 32)
#define OWNER_SHARED (2ull << 32)

/*
 * Identifies a file. A build ID could not identify a file, because the owner of the file chooses
 * it.
 */
struct identity {
	uint64_t dev, inode, size;
	struct timespec changed, modified;
};

struct symbol_file {
	uint32_t number;
	struct identity id;
	uint64_t owner; /* number of the owner, as owner_of() returns it */
	char *path;
	int fd;       /* the open file, or -1 if it was closed because it must not be read */
	int debug_fd; /* the file with debug symbols, or -1 without one */
	/* reader_generation() of the reader that has received the file, or 0 */
	unsigned generation;
	bool kept, bad, is_64, is_library;
	bool is_map; /* a perf map (/tmp/perf-PID.map), not an ELF file */
	/* number of the last call that used the file, for finding the least recently used one */
	uint64_t used;
	struct symbol_segment seg[ELF_SEGMENTS];
	uint32_t nseg;
};

/*
 * An owner of files, and the reader for these files. A reader gets the files of one owner only,
 * because a hostile file may have taken control of the reader.
 */
struct owner {
	uint64_t id;
	struct reader *reader;
	uint64_t used; /* number of the last call that used the reader */
	size_t listed; /* memory for functions and static probes of the owner's files, in bytes */
};

static struct {
	VEC(struct symbol_file *) file;
	VEC(struct owner) owner;
	uint32_t numbers;
	uint64_t calls;
	unsigned lines, bad;
	size_t listed; /* sum of owner.listed, without root's */
	void (*report)(const char *line);
} state;

/* -------------------------------------------------------------------- reports */

void symbols_report(void (*fn)(const char *line))
{
	state.report = fn;
}

static void report_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void report_line(const char *fmt, ...)
{
	struct strbuf b = {0}, line = {0};
	va_list ap;

	if (!state.report || state.lines > LINES)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	visible_add(&line, b.s, b.len);
	state.report(state.lines++ < LINES
			     ? line.s
			     : "more messages about programs and libraries are not shown");
	strbuf_release(&line);
	strbuf_release(&b);
}

bool symbols_start(struct diag *d)
{
	struct strbuf why = {0};

	readers_declare("elf");
	if (readers_start(&why))
		return true;
	diag_error(d, D_SYS, NOLOC,
		   "cannot confine the process that reads programs and libraries: %s "
		   "(-x confine=off continues without confinement)",
		   strbuf_text(&why));
	strbuf_release(&why);
	return false;
}

/* ---------------------------------------------------------------------- requests */

/*
 * Returns the owner of the open file @fd. The reader process of that owner gets the file. The owner
 * is usually the number of a user. A FUSE file system can report any user for its files. So for
 * virtiofs, the device of the file system counts as the owner; open_o_path() opens no file of other
 * FUSE file systems. A file that several users may write to has the owner OWNER_SHARED.
 */
static uint64_t owner_of(int fd, const struct stat *st)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) || fs.f_type == FUSE_SUPER_MAGIC)
		return OWNER_FUSE + (uint32_t)st->st_dev;
	return file_is_open_to_others(fd, st) ? OWNER_SHARED : st->st_uid;
}

static struct owner *find_owner(uint64_t id)
{
	for (size_t i = 0; i < state.owner.n; i++)
		if (state.owner.v[i].id == id)
			return &state.owner.v[i];
	vec_push(&state.owner, ((struct owner){.id = id, .reader = reader_new("elf")}));
	return &state.owner.v[state.owner.n - 1];
}

/* If the maximum number of readers is running, ends the one used least recently. */
static void make_room_for_reader(void)
{
	struct owner *oldest = NULL;
	size_t running = 0;

	for (size_t i = 0; i < state.owner.n; i++) {
		struct owner *o = &state.owner.v[i];

		if (!o->id || !reader_generation(o->reader))
			continue;
		running++;
		if (!oldest || o->used < oldest->used)
			oldest = o;
	}
	if (running >= READERS)
		reader_end(oldest->reader);
}

static struct reader *reader_for(const struct symbol_file *f)
{
	struct owner *o = find_owner(f->owner);

	if (o->id && !reader_generation(o->reader))
		make_room_for_reader();
	o->used = ++state.calls;
	return o->reader;
}

static unsigned bad_files_of(uint64_t owner)
{
	unsigned n = 0;

	for (size_t i = 0; i < state.file.n; i++)
		n += state.file.v[i]->bad && state.file.v[i]->owner == owner;
	return n;
}

/*
 * Returns whether there is time left for files of the owner. A reader may be slow with each file
 * without ever dying. Reports once that the time is used up.
 */
static bool has_time(uint64_t owner)
{
	bool first;

	if (budget_left(BUDGET_FILES, owner, &first))
		return true;
	if (first && owner < OWNER_FUSE)
		report_line("no more function or probe names from files of user %u: reading files "
			    "takes too long",
			    (unsigned)owner);
	else if (first)
		report_line("no more function or probe names from files that %s: reading files "
			    "takes too long",
			    owner < OWNER_SHARED ? "are on FUSE" : "several users may write to");
	return false;
}

/* Returns whether the file may be sent to a reader. Limits do not apply to root's files. */
static bool may_read(const struct symbol_file *f)
{
	if (f->bad || f->fd < 0)
		return false;
	return f->owner == 0 ||
	       (state.bad < BAD_ALL && bad_files_of(f->owner) < BAD_FILES && has_time(f->owner));
}

/* Returns whether the file was sent to the reader that is running now. */
static bool is_sent(const struct symbol_file *f)
{
	return f->generation && f->generation == reader_generation(find_owner(f->owner)->reader);
}

static void close_fds(struct symbol_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	if (f->debug_fd >= 0)
		close(f->debug_fd);
	f->fd = f->debug_fd = -1;
}

static void set_bad(struct symbol_file *f)
{
	f->bad = true;
	state.bad++;
	report_line("no function or probe names from %s: the process that read the file ended",
		    f->path);
	if (!f->kept)
		close_fds(f);
}

static void report_no_readers(void)
{
	static bool reported;
	struct strbuf why = {0};

	if (!reported && !readers_start(&why))
		report_line("cannot read the function names of processes: %s", strbuf_text(&why));
	reported = true;
	strbuf_release(&why);
}

/*
 * Sends a request about @f. @more is the rest of the body, after the file's number. Returns false
 * if the reader did not answer completely.
 */
static bool ask(struct symbol_file *f, uint32_t type, const struct strbuf *more, int fd,
		answer_fn *fn, void *ctx)
{
	struct strbuf b = {0};
	uint64_t from = now_monotonic();
	enum reader_result r;

	rpc_put_u32(&b, f->number);
	if (more)
		strbuf_add(&b, more->s, more->len);
	r = reader_ask(reader_for(f), type, &b, fd, fn, ctx);
	budget_spend(BUDGET_FILES, f->owner, now_monotonic() - from);
	strbuf_release(&b);
	if (r == READER_DIED)
		set_bad(f);
	if (r == READER_NONE)
		report_no_readers();
	return r == READER_ANSWERED;
}

/* --------------------------------------------------------------------- opening */

struct opening {
	struct symbol_file *file;
	uint8_t build_id[ELF_ID_MAX];
	size_t id_size;
	bool known;
};

static bool parse_description(void *ctx, uint32_t type, struct rpc_in *in)
{
	struct opening *o = ctx;
	struct symbol_file *f = o->file;
	const uint8_t *id;
	uint32_t class = rpc_u32(in), kind = rpc_u32(in), n;

	f->is_64 = class == 64;
	f->is_library = kind == 3 /* ET_DYN */;
	id = rpc_bytes(in, ELF_ID_MAX, &o->id_size);
	memcpy(o->build_id, id, o->id_size);
	f->nseg = 0; /* stays 0 until the number in the answer has been checked */
	n = rpc_u32(in);
	if (type != ELF_OPEN || o->known || n > ELF_SEGMENTS || (class != 64 && class != 32))
		return false;
	f->nseg = n;
	for (uint32_t i = 0; i < n; i++) {
		struct symbol_segment *s = &f->seg[i];

		s->off = rpc_u64(in);
		s->addr = rpc_u64(in);
		s->size = rpc_u64(in);
		s->memory = rpc_u64(in);
		s->exec = rpc_u32(in);
		if (s->off > FILE_MAX || s->size > FILE_MAX)
			return false;
	}
	o->known = true;
	return rpc_ended(in);
}

/* Opens the debug file, which Debian names after the build ID. */
static int open_debug(const struct opening *o)
{
	char path[64 + 2 * ELF_ID_MAX] = "/usr/lib/debug/.build-id/";
	size_t at = strlen(path);
	const char *why;

	if (o->id_size < 2)
		return -1;
	for (size_t i = 0; i < o->id_size; i++)
		at += (size_t)sprintf(path + at, i ? "%02x" : "%02x/", o->build_id[i]);
	strcpy(path + at, ".debug");
	return file_open_foreign(AT_FDCWD, path, FILE_MAX, &why);
}

static bool parse_empty(void *ctx, uint32_t type, struct rpc_in *in)
{
	*(bool *)ctx = true;
	return type == ELF_PERF_MAP && rpc_ended(in);
}

static bool send_perf_map(struct symbol_file *f)
{
	bool known = false;

	if (!ask(f, ELF_PERF_MAP, NULL, f->fd, parse_empty, &known) || !known)
		return false;
	f->generation = reader_generation(find_owner(f->owner)->reader);
	return true;
}

/*
 * Sends the file to the running reader, unless it was sent before. Returns false if the file is not
 * an ELF file or must not be read.
 */
static bool send_file(struct symbol_file *f)
{
	struct opening o = {.file = f};

	if (!may_read(f))
		return false;
	if (is_sent(f))
		return true;
	if (f->is_map)
		return send_perf_map(f);
	if (!ask(f, ELF_OPEN, NULL, f->fd, parse_description, &o) || !o.known)
		return false;
	f->generation = reader_generation(find_owner(f->owner)->reader);
	if (f->debug_fd < 0)
		f->debug_fd = open_debug(&o);
	return f->debug_fd < 0 || ask(f, ELF_DEBUG, NULL, f->debug_fd, NULL, NULL);
}

/*
 * Finds the entry of a file. A file can have two entries, one as an ELF file and one as a perf map:
 * a link that is named like a perf map may lead to a library.
 */
static struct symbol_file *find(const struct identity *id, bool is_map)
{
	for (size_t i = 0; i < state.file.n; i++)
		if (state.file.v[i]->is_map == is_map &&
		    !memcmp(&state.file.v[i]->id, id, sizeof(*id)))
			return state.file.v[i];
	return NULL;
}

static struct symbol_file *find_number(uint32_t number)
{
	for (size_t i = 0; i < state.file.n; i++)
		if (state.file.v[i]->number == number)
			return state.file.v[i];
	return NULL;
}

static void free_file(struct symbol_file *f)
{
	close_fds(f);
	xfree(f->path);
	xfree(f);
}

/*
 * If too many files are open, closes and forgets the one used least recently. Bad files are
 * remembered, so that they are not read again.
 */
static void make_room(void)
{
	struct symbol_file *oldest = NULL;
	size_t at = 0, open = 0;

	for (size_t i = 0; i < state.file.n; i++) {
		struct symbol_file *f = state.file.v[i];

		if (f->kept || f->bad)
			continue;
		open++;
		if (!oldest || f->used < oldest->used) {
			oldest = f;
			at = i;
		}
	}
	if (open < FILES_OPEN)
		return;
	if (is_sent(oldest))
		ask(oldest, ELF_CLOSE, NULL, -1, NULL, NULL);
	free_file(oldest);
	state.file.v[at] = state.file.v[--state.file.n];
}

static struct symbol_file *add_file(const struct identity *id, uint64_t owner, const char *path,
				    int fd)
{
	struct symbol_file *f = xcalloc(1, sizeof(*f));

	make_room();
	f->number = ++state.numbers;
	f->id = *id;
	f->owner = owner;
	f->path = xstrdup(path);
	f->fd = fd;
	f->debug_fd = -1;
	vec_push(&state.file, f);
	return f;
}

/*
 * Returns the entry of the open file @fd. This function owns @fd and closes it if it is not needed.
 */
static struct symbol_file *file_of_fd(int fd, const char *path, bool is_map)
{
	struct symbol_file *f;
	struct identity id;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	memset(&id, 0, sizeof(id)); /* identities are compared as bytes, so clear the padding */
	id.dev = st.st_dev;
	id.inode = st.st_ino;
	id.size = (uint64_t)st.st_size;
	id.changed = st.st_ctim;
	id.modified = st.st_mtim;
	f = find(&id, is_map);
	if (f)
		close(fd);
	else
		f = add_file(&id, owner_of(fd, &st), path, fd);
	f->is_map = is_map;
	f->used = ++state.calls;
	return send_file(f) ? f : NULL;
}

/* ----------------------------------------------------------------------- paths */

/*
 * Opens the file of the O_PATH descriptor @at for reading, and closes @at. If a user can block us
 * with the file, does not open it, because even a close() of the opened file could block.
 */
static int open_o_path(int at, pid_t pid, const char *path)
{
	static bool reported;
	const char *why;
	enum stall stall;
	char link[40];
	int fd = -1;

	if (at < 0)
		return -1;
	stall = mounts_stall(at, pid);
	if (stall == STALL_NEVER) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", at);
		fd = file_open_foreign(AT_FDCWD, link, FILE_MAX, &why);
	} else if (stall == STALL_POSSIBLE && !reported) {
		reported = true;
		report_line("no function or probe names from %s: a user's process may serve this "
			    "file system and never answer",
			    path);
	}
	close(at);
	return fd;
}

static int open_o_path_at(int dir, const char *path, uint64_t resolve)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = resolve};

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

/*
 * Looks up @path below the folder @dir in the kernel's cache of names, without asking a file
 * system. A file that a process has mapped is in this cache, unless its file system limits the time
 * for which a name is valid. Sets errno to EAGAIN if the file system must be asked.
 */
static int look_up_cached(int dir, const char *path)
{
	int at = -1;

	/* EAGAIN may also mean that something was mounted or renamed, so try again. */
	for (int i = 0; at < 0 && i < LOOKUP_RETRIES; i++) {
		at = open_o_path_at(dir, path, RESOLVE_IN_ROOT | RESOLVE_CACHED);
		if (at < 0 && errno != EAGAIN)
			return -1;
	}
	return at;
}

/*
 * Returns whether a lookup in the folder @dir can never block. @pid is the process in whose mount
 * namespace the folder was found. In /proc, a lookup may wait for a lock of a process.
 */
static bool can_search(int dir, pid_t pid)
{
	struct statfs fs;

	return mounts_stall(dir, pid) == STALL_NEVER && !fstatfs(dir, &fs) &&
	       fs.f_type != PROC_SUPER_MAGIC;
}

/*
 * Looks up @path below the folder @dir, one component at a time, and checks each folder before
 * searching it. Only the last component may be a symbolic link, and only to a file that is in the
 * same folder or below, on the same mount.
 */
static int look_up_checked(int dir, pid_t pid, const char *path)
{
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);

	while (at >= 0) {
		char name[NAME_MAX + 1];
		size_t n;
		int next = -1;

		path += strspn(path, "/");
		n = strcspn(path, "/");
		if (!n)
			break;
		if (n <= NAME_MAX && can_search(at, pid)) {
			memcpy(name, path, n);
			name[n] = '\0';
			next = open_o_path_at(at, name, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
			if (next < 0 && errno == ELOOP && !path[n])
				next = open_o_path_at(at, name, RESOLVE_BENEATH | RESOLVE_NO_XDEV);
		}
		close(at);
		at = next;
		path += n;
	}
	return at;
}

/* Opens @path below the folder @root, which is the root for links too. */
static int open_in_root(pid_t pid, const char *root, const char *path)
{
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), at;

	if (dir < 0)
		return -1;
	at = look_up_cached(dir, path);
	if (at < 0 && errno == EAGAIN)
		at = look_up_checked(dir, pid, path);
	close(dir);
	return open_o_path(at, pid, path);
}

static int open_for(pid_t pid, const char *path)
{
	char root[40];

	snprintf(root, sizeof(root), "/proc/%d/root", (int)pid);
	return open_in_root(pid, root, path);
}

/*
 * Returns @fd if it is the file with inode number @inode. Otherwise closes @fd and returns -1,
 * because the path leads to another file by now.
 */
static int check_inode(int fd, uint64_t inode)
{
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && st.st_ino == inode))
		return fd;
	close(fd);
	return -1;
}

/*
 * Returns @path as the process itself would write it: without its own root, if it has called
 * chroot(2). In another mount namespace, the kernel's paths begin at the root of that namespace, so
 * they contain the process's own root.
 */
static const char *below_root(pid_t pid, const char *path)
{
	char link[40], root[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/root", (int)pid);
	n = readlink(link, root, sizeof(root));
	if (n <= 1 || n == sizeof(root) || strncmp(path, root, (size_t)n) || path[n] != '/')
		return path;
	return path + n;
}

/*
 * Opens a mapped file. First tries the kernel's link to the mapping, which always leads to the
 * right file but needs a capability. Then tries the path as the process sees it. If both fail, for
 * example because the process has ended, or if another program or process has its PID, finally
 * tries the path as we see it.
 */
static int open_mapping(struct process *p, const struct mapping *m)
{
	const char *path = mapping_path(p, m);
	int fd = -1;

	if (!p->over && process_mapping_at(p, m->from) == m)
		fd = open_o_path(maps_open(p->pid, m->from, m->to), p->pid, path);
	if (fd < 0 && !p->over)
		fd = check_inode(open_for(p->pid, below_root(p->pid, path)), m->inode);
	if (fd < 0)
		fd = check_inode(open_in_root(p->pid, "/", path), m->inode);
	return fd;
}

struct symbol_file *symbols_of_mapping(struct process *p, struct mapping *m)
{
	struct symbol_file *f;

	if (!m->inode || *mapping_path(p, m) != '/' || m->file == MAPPING_UNREADABLE)
		return NULL;
	f = m->file ? find_number(m->file) : NULL;
	if (f) {
		f->used = ++state.calls;
		return send_file(f) ? f : NULL;
	}
	f = file_of_fd(open_mapping(p, m), mapping_path(p, m), false);
	m->file = f ? f->number : MAPPING_UNREADABLE;
	return f;
}

struct symbol_file *symbols_at_path(pid_t pid, const char *path)
{
	return file_of_fd(open_for(pid, path), path, false);
}

#define MAP_AGAIN_NS 1000000000u

/*
 * Returns the process's number in its own PID namespace. The runtime uses this number in the name
 * of a perf map.
 */
static unsigned pid_in_own_namespace(pid_t pid)
{
	char path[40], line[256];
	unsigned n = (unsigned)pid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "NSpid:", 6) && strrchr(line, '\t'))
			/* the innermost namespace is last */
			n = (unsigned)strtoul(strrchr(line, '\t'), NULL, 10);
	if (f)
		fclose(f);
	return n;
}

/*
 * Closes @fd if its owner is neither @uid nor root, because every user can create files in /tmp.
 * Returns @fd or -1.
 */
static int check_owner(int fd, uid_t uid)
{
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && (st.st_uid == uid || st.st_uid == 0)))
		return fd;
	close(fd);
	return -1;
}

struct symbol_file *symbols_of_jit(struct process *p)
{
	struct symbol_file *f = p->perf_map ? find_number(p->perf_map) : NULL, *newer;
	uint64_t now = now_monotonic();
	char path[40];

	if (now - p->perf_map_ns > MAP_AGAIN_NS && !p->over && p->uid != (uid_t)-1) {
		p->perf_map_ns = now;
		snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid_in_own_namespace(p->pid));
		newer = file_of_fd(check_owner(open_for(p->pid, path), p->uid), path, true);
		if (newer)
			f = newer;
		p->perf_map = f ? f->number : 0;
	}
	return f && send_file(f) ? f : NULL;
}

void symbols_keep(struct symbol_file *f)
{
	f->kept = true;
}

void symbols_link(const struct symbol_file *f, struct strbuf *out)
{
	strbuf_addf(out, "/proc/self/fd/%d", f->fd);
}

bool symbols_32_bits(const struct symbol_file *f)
{
	return !f->is_64;
}

bool symbols_is_relocatable(const struct symbol_file *f)
{
	return f->is_library;
}

bool symbols_by_root(const struct symbol_file *f)
{
	return f->owner == 0;
}

void symbols_identity(const struct symbol_file *f, uint64_t *dev, uint64_t *inode)
{
	*dev = f->id.dev;
	*inode = f->id.inode;
}

const struct symbol_segment *symbols_segments(const struct symbol_file *f, uint32_t *n)
{
	*n = f->nseg;
	return f->seg;
}

/* ----------------------------------------------------------------------- names */

#define NAMES_MAX (16u << 20) /* maximum size of the cached names in bytes */

struct known_name {
	uint32_t file;
	uint64_t off, skip;
	char *text; /* the name, or NULL if there is no name at @off */
};

static void *names; /* cache of struct known_name, as a tree of tsearch(3) */
static size_t names_size;

static int compare_names(const void *a, const void *b)
{
	const struct known_name *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->off > y->off) - (x->off < y->off);
}

static void free_name(void *p)
{
	struct known_name *k = p;

	xfree(k->text);
	xfree(k);
}

static void free_names(void)
{
	tdestroy(names, free_name);
	names = NULL;
	names_size = 0;
}

static bool parse_name(void *ctx, uint32_t type, struct rpc_in *in)
{
	struct known_name *k = ctx;
	const char *text;
	size_t n;

	k->skip = rpc_u64(in);
	text = rpc_text(in, RPC_MAX, &n);
	if (type != ELF_NAME || k->text || !rpc_ended(in) || !n)
		return false;
	k->text = xmalloc(n + 1);
	memcpy(k->text, text, n);
	k->text[n] = '\0';
	return true;
}

static const struct known_name *name_at(struct symbol_file *f, uint64_t off)
{
	struct known_name want = {f->number, off, 0, NULL}, **found, *k;
	struct strbuf place = {0};

	found = tfind(&want, &names, compare_names);
	if (found)
		return *found;
	rpc_put_u64(&place, off);
	if (!ask(f, ELF_NAME, &place, -1, parse_name, &want)) {
		xfree(want.text);
		want.text = NULL;
	}
	strbuf_release(&place);
	names_size += sizeof(want) + (want.text ? strlen(want.text) : 0) + 64;
	if (names_size > NAMES_MAX)
		free_names();
	k = xmalloc(sizeof(*k));
	*k = want;
	tsearch(k, &names, compare_names);
	return k;
}

bool symbols_name(struct symbol_file *f, uint64_t off, uint64_t *behind, struct strbuf *out)
{
	const struct known_name *k = name_at(f, off);

	if (!k->text)
		return false;
	*behind = k->skip;
	strbuf_adds(out, k->text);
	return true;
}

/* ------------------------------------------------------------------- functions */

struct listing {
	void (*function)(void *ctx, const struct symbol_function *s);
	void (*note)(void *ctx, const struct symbol_note *n);
	void (*code)(void *ctx, uint64_t off, bool can_probe);
	void *ctx;
	uint64_t from, size;
	uint64_t next;  /* lowest offset, from @from, of the next instruction */
	uint64_t owner; /* number of the file's owner */
	uint32_t n;
	size_t bytes; /* memory for the rows so far */
	bool full;    /* a row was left out, because the rows need too much memory */
};

/* memory for a function or a static probe without its names, in bytes */
#define ROW_BYTES 64

/* Returns the maximum length of the name @s when it is escaped. */
static size_t escaped_size(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s >= ' ' && *s < 0x7f && *s != '\\' ? 1 : 4;
	return n;
}

/*
 * Counts @bytes as used by a row. Returns false if the list must end here. The reader has a limit
 * of its own, but a hostile file may control the reader.
 */
static bool has_room(struct listing *l, size_t bytes)
{
	struct owner *o = find_owner(l->owner);

	if (l->bytes + bytes > ELF_LIST_MAX)
		l->full = true;
	if (o->id &&
	    (o->listed + bytes > OWNER_LISTS_MAX || state.listed + bytes > ALL_OWNERS_LISTS_MAX))
		l->full = true;
	if (l->full)
		return false;
	l->bytes += bytes;
	o->listed += bytes;
	state.listed += o->id ? bytes : 0;
	return true;
}

void symbols_lists_freed(void)
{
	for (size_t i = 0; i < state.owner.n; i++)
		state.owner.v[i].listed = 0;
	state.listed = 0;
}

/* Reports that the list @l is not complete, if that is so. */
static void report_cut(const struct symbol_file *f, const struct listing *l, uint32_t max,
		       const char *rows)
{
	if (l->full)
		report_line("%s: only its first %u %s can be traced, because the names need too "
			    "much memory",
			    f->path, l->n, rows);
	else if (l->n == max)
		report_line("%s: only its first %u %s can be traced", f->path, max, rows);
}

/* Reads a name into @b and returns it, with a NUL at its end. */
static const char *parse_text(struct rpc_in *in, struct strbuf *b)
{
	size_t n;
	const char *s = rpc_text(in, ELF_LISTED_NAME_MAX, &n);

	strbuf_reset(b);
	strbuf_add(b, s, n);
	return strbuf_text(b);
}

static bool parse_functions(void *ctx, uint32_t type, struct rpc_in *in)
{
	struct listing *l = ctx;
	struct strbuf name = {0};
	bool good = type == ELF_FUNCTIONS;

	while (good && !l->full && in->at < in->end && !in->bad && l->n < FUNCTIONS_MAX) {
		struct symbol_function s;
		uint32_t flags;

		s.off = rpc_u64(in);
		s.size = rpc_u64(in);
		flags = rpc_u32(in);
		s.name = parse_text(in, &name);
		s.global = flags & FUNCTION_GLOBAL;
		s.can_probe = !(flags & FUNCTION_NO_PROBE);
		good = !in->bad && *s.name && s.off <= FILE_MAX && s.size <= FILE_MAX;
		if (!good || !has_room(l, ROW_BYTES + escaped_size(s.name)))
			break;
		l->function(l->ctx, &s);
		l->n++;
	}
	strbuf_release(&name);
	return good;
}

void symbols_functions(struct symbol_file *f,
		       void (*fn)(void *ctx, const struct symbol_function *s), void *ctx)
{
	struct listing l = {.function = fn, .ctx = ctx, .owner = f->owner};

	if (send_file(f))
		ask(f, ELF_FUNCTIONS, NULL, -1, parse_functions, &l);
	report_cut(f, &l, FUNCTIONS_MAX, "functions");
}

static bool parse_argument(struct rpc_in *in, struct arg_location *p)
{
	p->kind = rpc_u32(in);
	p->size = rpc_u32(in);
	p->sgn = rpc_u32(in);
	p->reg = (int32_t)rpc_u32(in);
	p->index = (int32_t)rpc_u32(in);
	p->scale = (int32_t)rpc_u32(in);
	p->value = (int64_t)rpc_u64(in);
	return !in->bad && arg_location_is_valid(p);
}

static bool parse_note(struct listing *l, struct rpc_in *in, struct strbuf *prov,
		       struct strbuf *name)
{
	struct arg_location place[ELF_ARGUMENTS];
	struct symbol_note n = {.place = place};

	n.at = rpc_u64(in);
	n.semaphore = rpc_u64(in);
	n.prov = parse_text(in, prov);
	n.name = parse_text(in, name);
	n.nplace = rpc_u32(in);
	if (in->bad || n.nplace > ELF_ARGUMENTS || n.at > FILE_MAX ||
	    (n.semaphore > FILE_MAX && n.semaphore != SEMAPHORE_BEYOND))
		return false;
	for (uint32_t i = 0; i < n.nplace; i++)
		if (!parse_argument(in, &place[i]))
			return false;
	/* users of notes keep two copies of the name */
	if (has_room(l, ROW_BYTES + escaped_size(n.prov) + 2 * escaped_size(n.name) +
				n.nplace * sizeof(*place))) {
		l->note(l->ctx, &n);
		l->n++;
	}
	return true;
}

static bool parse_notes(void *ctx, uint32_t type, struct rpc_in *in)
{
	struct listing *l = ctx;
	struct strbuf prov = {0}, name = {0};
	bool good = type == ELF_NOTES;

	while (good && !l->full && in->at < in->end && l->n < NOTES_MAX)
		good = parse_note(l, in, &prov, &name);
	strbuf_release(&prov);
	strbuf_release(&name);
	return good;
}

void symbols_notes(struct symbol_file *f, void (*fn)(void *ctx, const struct symbol_note *n),
		   void *ctx)
{
	struct listing l = {.note = fn, .ctx = ctx, .owner = f->owner};

	if (send_file(f))
		ask(f, ELF_NOTES, NULL, -1, parse_notes, &l);
	report_cut(f, &l, NOTES_MAX, "static probes");
}

static bool parse_instructions(void *ctx, uint32_t type, struct rpc_in *in)
{
	struct listing *l = ctx;

	while (type == ELF_CODE && !l->full && in->at < in->end && !in->bad) {
		uint32_t skip = rpc_u32(in), flags = rpc_u32(in);

		if (in->bad || skip >= l->size || skip < l->next)
			return false;
		if (!has_room(l, ROW_BYTES))
			break;
		l->next = (uint64_t)skip + 1;
		l->n++;
		l->code(l->ctx, l->from + skip, !(flags & CODE_NO_PROBE));
	}
	return type == ELF_CODE;
}

void symbols_instructions(struct symbol_file *f, uint64_t off, uint64_t size,
			  void (*fn)(void *ctx, uint64_t off, bool can_probe), void *ctx)
{
	struct listing l = {.code = fn, .ctx = ctx, .from = off, .size = size, .owner = f->owner};
	struct strbuf b = {0};

	rpc_put_u64(&b, off);
	rpc_put_u64(&b, size);
	if (send_file(f))
		ask(f, ELF_CODE, &b, -1, parse_instructions, &l);
	report_cut(f, &l, UINT32_MAX, "instructions");
	strbuf_release(&b);
}
