/*
 * fuzz_note_args.c - parses any bytes as the argument text in the note of a static probe. The
 * parser must not return a location that the compiler cannot use, or more locations than the text
 * has words.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "procinfo/note_args.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	/*
	 * The text is copied to memory of exactly its size, so that a sanitizer sees reads past the
	 * end.
	 */
	char *text = xmalloc(size + 1);
	const struct arg_location *p;
	uint32_t n;

	memcpy(text, data, size);
	text[size] = '\0';
	p = note_args(&a, text, &n);
	if (n > (strlen(text) + 1) / 2)
		abort();
	for (uint32_t i = 0; i < n; i++)
		if (!arg_location_is_valid(&p[i]))
			abort();
	arena_release(&a);
	xfree(text);
	return 0;
}
