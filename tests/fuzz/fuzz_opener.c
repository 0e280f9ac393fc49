/*
 * fuzz_opener.c - checks the opener, a process that opens files for a confined run: a hostile run
 * cannot make it open a file that the command line does not name, and no malformed answer harms the
 * run.
 *
 * The first byte chooses the receiver of the input: the opener or the run. The rest is messages,
 * each with a type, a length and a body. The opener serves a folder and a file; beside them is a
 * file that the command line does not name.
 */
#define rpc_receive fuzz_receive
#define rpc_send fuzz_send
#include "cmd/merge/opener.c"

#include <assert.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *at, *end; /* the input that was not received yet */
static char dir[] = "/tmp/fuzz_opener.XXXXXX", folder[64], named[64], inside[64], secret[64];
static ino_t named_inode, inside_inode;

static size_t take(void *to, size_t n)
{
	if (n > (size_t)(end - at))
		n = (size_t)(end - at);
	memcpy(to, at, n);
	at += n;
	return n;
}

/*
 * Returns a descriptor for an answer of the opener. @kind chooses between a file with some bytes,
 * other descriptors, and -1 for no descriptor.
 */
static int some_fd(uint8_t kind)
{
	static const char bytes[32] = "DTRAGG04 and more bytes";
	int fd;

	switch (kind % 8) {
	case 0:
		return -1;
	case 1:
		return open(folder, O_RDONLY | O_CLOEXEC);
	case 2:
		return open(secret, O_WRONLY | O_CLOEXEC);
	default:
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		if (write(fd, bytes, kind >> 3) < 0)
			abort();
		lseek(fd, 0, SEEK_SET);
		return fd;
	}
}

enum rpc_result fuzz_receive(int sock, struct rpc_message *m, bool take_fd, uint64_t until)
{
	uint8_t head[4];

	assert(sock == 77 && !until);
	m->fd = -1;
	if (take(head, sizeof(head)) < sizeof(head))
		return RPC_CLOSED;
	m->head = (struct rpc_head){RPC_VERSION, head[0] % 8, head[1], 0};
	m->head.size = (uint32_t)take(m->body, head[2] | (size_t)(head[3] & 63) << 8);
	if (take_fd)
		m->fd = some_fd(head[1]);
	return RPC_OK;
}

/* Returns whether @body is exactly the text of @path. */
static bool names(const char *path, const void *body, size_t size)
{
	struct strbuf b = {0};
	bool same;

	rpc_put_text(&b, path);
	same = size == b.len && !memcmp(body, b.s, size);
	strbuf_release(&b);
	return same;
}

/*
 * Receives a message of the opener, or the request of the run. Checks that the opener answers with
 * the files of the command line, in their order, for any requests.
 */
bool fuzz_send(int sock, uint32_t type, uint32_t serial, const void *body, size_t size, int fd)
{
	static const uint32_t order[] = {FILE_OPEN, FILE_OPEN, FILES_END};
	static unsigned next;
	struct stat st;

	assert(sock == 77 && !serial);
	if (type == ASK_FILES) {
		assert(!size && fd < 0);
		return true;
	}
	assert(type == order[next]);
	if (type == FILES_END) {
		assert(!size && fd < 0);
		next = 0;
		return true;
	}
	assert(names(next ? named : inside, body, size) && !fstat(fd, &st));
	assert(st.st_ino == (next ? named_inode : inside_inode));
	assert((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY);
	next++;
	return true;
}

static bool see(void *ctx, const char *path, struct strbuf *bytes, const char *why)
{
	unsigned *n = ctx;

	assert(strlen(path) <= TEXT_MAX && (!why || (!bytes->len && strlen(why) <= TEXT_MAX)));
	assert(bytes->len <= AGGFILE_FOREIGN_MAX);
	strbuf_release(bytes);
	return ++*n < 7;
}

static ino_t make(const char *path)
{
	struct stat st;
	FILE *f = fopen(path, "w");

	if (!f || fputs("DTRAGG04", f) < 0 || fstat(fileno(f), &st) || fclose(f))
		abort();
	return st.st_ino;
}

static void remove_all(void)
{
	unlink(inside);
	unlink(named);
	unlink(secret);
	rmdir(folder);
	rmdir(dir);
}

static void begin(void)
{
	if (!mkdtemp(dir))
		abort();
	snprintf(folder, sizeof(folder), "%s/folder", dir);
	snprintf(inside, sizeof(inside), "%s/inside", folder);
	snprintf(named, sizeof(named), "%s/named", dir);
	snprintf(secret, sizeof(secret), "%s/secret", dir);
	mkdir(folder, 0700);
	atexit(remove_all);
	inside_inode = make(inside);
	named_inode = make(named);
	make(secret);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const paths[] = {folder, named};
	struct opener o = {.sock = 77};
	struct diag d = {0};
	unsigned n = 0;

	if (!named_inode)
		begin();
	if (!size)
		return 0;
	at = data + 1;
	end = data + size;
	if (*data % 2) {
		serve(77, paths, 2);
		return 0;
	}
	assert(opener_read(&o, see, &n, &d) == !d.nerr);
	diag_release(&d);
	return 0;
}
