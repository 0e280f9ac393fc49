/*
 * fuzz_elf.c - checks that damaged ELF files and hostile requests do not harm the job that reads
 * ELF files in a confined process.
 *
 * The input is a list of requests, then a file. A request is a type and a body of any bytes, so the
 * fuzzer plays a hostile dtrace too. Answers must be messages that the protocol allows.
 */
#define answer fuzz_answer
#include "procinfo/elf_job.c"

#include <assert.h>
#include <sys/mman.h>

#define REQUESTS_MAX 16

void answer(const struct request *r, uint32_t type, const struct strbuf *body)
{
	assert(type == r->type);
	assert(!body || body->len <= RPC_MAX);
}

static int file_of(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, data, size) != (ssize_t)size) {
		close(fd);
		return -1;
	}
	return fd;
}

static void ask(uint32_t type, const void *body, size_t n, int fd)
{
	struct request r = {.sock = -1, .type = type, .fd = fd};

	r.in = (struct rpc_in){body, (const uint8_t *)body + n, false};
	elf_job.serve(&r);
	if (r.fd >= 0)
		close(r.fd);
}

static void ask_about(uint32_t type, uint32_t number, uint64_t a, uint64_t b, size_t n, int fd)
{
	uint8_t body[20];

	memcpy(body, &number, 4);
	memcpy(body + 4, &a, 8);
	memcpy(body + 12, &b, 8);
	ask(type, body, n, fd);
}

/* Sends the requests that dtrace sends for each file. */
static void as_dtrace_does(const uint8_t *elf, size_t size)
{
	ask_about(ELF_OPEN, 1, 0, 0, 4, file_of(elf, size));
	ask_about(ELF_DEBUG, 1, 0, 0, 4, file_of(elf, size));
	ask_about(ELF_FUNCTIONS, 1, 0, 0, 4, -1);
	ask_about(ELF_NOTES, 1, 0, 0, 4, -1);
	for (uint64_t at = 0; at < size; at += size / 16 + 1) {
		ask_about(ELF_NAME, 1, at, 0, 12, -1);
		ask_about(ELF_CODE, 1, at, 64, 20, -1);
	}
	ask_about(ELF_CLOSE, 1, 0, 0, 4, -1);
}

/*
 * Sends requests from the input. Each has a type, the length of its body and the body. Returns the
 * rest of the input.
 */
static const uint8_t *as_nobody_does(const uint8_t *at, const uint8_t *end)
{
	uint32_t n = at < end ? *at++ % REQUESTS_MAX : 0;

	while (n-- && end - at >= 2) {
		uint32_t type = ELF_OPEN + at[0] % 8;
		size_t size = at[1] % 32;

		at += 2;
		if (size > (size_t)(end - at))
			size = (size_t)(end - at);
		ask(type, at, size,
		    type <= ELF_DEBUG && size % 2
			    ? file_of(end - (end - at) / 2, (size_t)(end - at) / 2)
			    : -1);
		at += size;
	}
	return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *elf = as_nobody_does(data, data + size);

	libdw_load();
	as_dtrace_does(elf, (size_t)(data + size - elf));
	for (size_t i = 0; i < ELF_FILES; i++)
		if (files[i].used)
			close_file(&files[i]);
	return 0;
}
