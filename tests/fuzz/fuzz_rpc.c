/*
 * fuzz_rpc.c - checks that a hostile reader (a confined process that reads files for dtrace) does
 * not harm the dtrace that asks it.
 *
 * The input has the reader's answers, in the order of requests. Each has a type and a body. The
 * first part of the input is also parsed as a packet that the socket received.
 */
#define reader_ask fuzz_reader_ask
#define reader_generation fuzz_reader_life
#define reader_new fuzz_reader_new
#define reader_free fuzz_reader_free
#define reader_end fuzz_reader_end
#include "procinfo/symbols.c"

#include <assert.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "base/clock.h"

static const uint8_t *at, *end; /* the answers of the reader that were not passed yet */

unsigned reader_generation(const struct reader *r)
{
	(void)r;
	return 1;
}

struct reader *reader_new(const char *job)
{
	(void)job;
	return NULL;
}

void reader_free(struct reader *r)
{
	(void)r;
}

void reader_end(struct reader *r)
{
	(void)r;
}

/*
 * Passes answers from the input to @fn. Each answer is a type, two bytes of length and the body. An
 * answer of type 7 is the last one, and type 6 means that the reader died.
 */
enum reader_result reader_ask(struct reader *r, uint32_t type, const struct strbuf *body, int fd,
			      answer_fn *fn, void *ctx)
{
	(void)r, (void)fd;
	assert(!body || body->len <= RPC_MAX);
	while (end - at >= 3) {
		uint8_t kind = at[0] % 8;
		size_t size = at[1] | (size_t)at[2] << 8;
		struct rpc_in in;

		at += 3;
		if (kind >= 6)
			return kind == 6 ? READER_DIED : READER_ANSWERED;
		if (size > (size_t)(end - at))
			size = (size_t)(end - at);
		in = (struct rpc_in){at, at + size, false};
		at += size;
		if (fn && (!fn(ctx, kind == 5 ? ELF_CLOSE : type, &in) || in.bad))
			return READER_DIED;
	}
	return READER_ANSWERED;
}

static void see_function(void *ctx, const struct symbol_function *s)
{
	assert(*s->name && s->off <= FILE_MAX && s->size <= FILE_MAX);
	*(size_t *)ctx += strlen(s->name);
}

static void see_note(void *ctx, const struct symbol_note *n)
{
	assert(n->nplace <= ELF_ARGUMENTS);
	for (uint32_t i = 0; i < n->nplace; i++)
		assert(arg_location_is_valid(&n->place[i]));
	*(size_t *)ctx += strlen(n->prov) + strlen(n->name);
}

static void see_code(void *ctx, uint64_t off, bool can_probe)
{
	assert(off >= 64 && off < 64 + 4096);
	*(size_t *)ctx += can_probe;
}

static void report(const char *line)
{
	for (; *line; line++)
		assert((unsigned char)*line >= ' ');
}

static void ask_all(struct symbol_file *f)
{
	struct strbuf name = {0};
	uint64_t behind;
	size_t sum = 0;
	uint32_t n;

	for (uint64_t off = 0; off < 4; off++)
		symbols_name(f, off, &behind, &name);
	symbols_functions(f, see_function, &sum);
	symbols_notes(f, see_note, &sum);
	symbols_instructions(f, 64, 4096, see_code, &sum);
	symbols_segments(f, &n);
	assert(n <= ELF_SEGMENTS);
	strbuf_release(&name);
}

/* Parses the bytes as one packet. The packet may be a message only if its header is valid. */
static void receive(const uint8_t *data, size_t size)
{
	static struct rpc_message m;
	int pair[2];

	if (size > RPC_MAX || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return;
	if (write(pair[0], data, size) == (ssize_t)size &&
	    rpc_receive(pair[1], &m, true, now_monotonic() + 1000000000) == RPC_OK) {
		struct rpc_in in = rpc_open(&m);
		size_t n;

		assert(m.head.size == size - sizeof(m.head) && m.head.version == RPC_VERSION);
		while (!in.bad && in.at < in.end)
			rpc_text(&in, RPC_MAX, &n);
	}
	close(pair[0]);
	close(pair[1]);
}

/* Closes all files and frees their entries, for the next input. */
static void release_all(void)
{
	free_names();
	for (size_t i = 0; i < state.file.n; i++)
		free_file(state.file.v[i]);
	vec_free(&state.file);
	for (size_t i = 0; i < state.owner.n; i++)
		reader_free(state.owner.v[i].reader);
	vec_free(&state.owner);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_file *f;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	receive(data, size < 256 ? size : 256);
	symbols_report(report);
	at = data;
	end = data + size;
	state.lines = state.bad = 0;
	f = fd < 0 ? NULL : file_of_fd(fd, "a\nfile", size && data[size - 1] % 2);
	if (f)
		ask_all(f);
	release_all();
	return 0;
}
