/*
 * fuzz_capture.c - reads any bytes as a capture. There must be no crash, and no read beyond the end
 * of a packet.
 *
 * With clang -fsanitize=fuzzer this is a fuzz target. With -DFUZZ_STANDALONE it is a program that
 * reads each FILE and mutations of the file:
 *
 *	fuzz_capture [-n MUTATIONS] FILE...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/replay/capture/capture.h"
#include "engine/replay/dissect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Dissects the packet. Uses a copy in memory of exactly the packet's size, so that a sanitizer sees
 * reads past the end.
 */
static void look(const struct packet *p)
{
	const struct link_type *lt = link_type_find(p->iface->linktype);
	unsigned char *copy;
	struct dissect d, same;
	uint32_t end;

	if (p->owner.pid &&
	    (p->owner.pid > INT32_MAX || !memchr(p->owner.name, '\0', sizeof(p->owner.name))))
		abort();
	if (!lt || !lt->dissect)
		return;
	copy = xmalloc(p->caplen ? p->caplen : 1);
	memcpy(copy, p->data, p->caplen);
	dissect_all(lt, copy, p->caplen, p->wirelen, &d);
	if (d.net > p->caplen || d.odd >= ODD_END || (!d.version && (d.l4 || d.frag)))
		abort();
	dissect_frame(lt, copy, p->caplen, p->wirelen, true, &same);
	if (d.net != same.net || d.version != same.version || d.ethertype != same.ethertype ||
	    d.proto != same.proto || d.frag != same.frag || d.l4 != same.l4 || d.odd != same.odd)
		abort();
	if (d.version) {
		end = d.net + dissect_ip_length(copy + d.net, p->wirelen - d.net);
		if (end > p->wirelen || d.l4 > end)
			abort();
	}
	xfree(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag d = {0};
	struct capture *c;
	struct packet p;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))
		abort();
	c = capture_fdopen(fd, "fuzz", &d);
	while (c && capture_next(c, &p, &d) == CAPTURE_PACKET)
		look(&p);
	if (!c && !d.nerr)
		abort();
	capture_close(c);
	diag_release(&d);
	return 0;
}

#ifdef FUZZ_STANDALONE

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data;

	if (!f) {
		perror(path);
		exit(1);
	}
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	data = xmalloc(*size ? *size : 1);
	if (fread(data, 1, *size, f) != *size) {
		perror(path);
		exit(1);
	}
	fclose(f);
	return data;
}

/*
 * Reads a copy of the file. In the copy a few bytes have random values, or values that often cause
 * trouble, and the end may be cut off.
 */
static void mutate(const uint8_t *data, size_t size)
{
	static const uint8_t nasty[] = {0, 1, 0x7f, 0x80, 0xff, 4, 8, 0x40, 0x60, 0x45};
	uint8_t *copy = xmalloc(size ? size : 1);
	size_t n = size && rand() % 4 == 0 ? (size_t)rand() % size : size;
	int i, k = 1 + rand() % 8;

	memcpy(copy, data, size);
	for (i = 0; i < k && n; i++) {
		size_t at = rand() % 3 ? (size_t)rand() % n : (size_t)rand() % (n < 256 ? n : 256);

		copy[at] = rand() % 2 ? nasty[(size_t)rand() % sizeof(nasty)] : (uint8_t)rand();
	}
	LLVMFuzzerTestOneInput(copy, n);
	xfree(copy);
}

int main(int argc, char **argv)
{
	long n = 100, j;
	int i = 1;

	if (argc > 2 && !strcmp(argv[1], "-n")) {
		n = atol(argv[2]);
		i = 3;
	}
	srand(1);
	for (; i < argc; i++) {
		size_t size;
		uint8_t *data = read_file(argv[i], &size);

		LLVMFuzzerTestOneInput(data, size);
		for (j = 0; j < n; j++)
			mutate(data, size);
		xfree(data);
	}
	return 0;
}

#endif
