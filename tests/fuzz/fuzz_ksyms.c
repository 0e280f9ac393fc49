/*
 * fuzz_ksyms.c - reads damaged symbol tables. The reader must not hang or crash. The symbol that it
 * finds for an address must begin at or before this address.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "consumer/symbols/ksyms.h"

static void look_up(const struct ksyms *t, uint64_t addr)
{
	struct strbuf text = {0};
	struct ksym s;

	if (ksyms_find(t, addr, &s) && (s.addr > addr || !*s.name || !*s.mod))
		abort();
	ksym_text(t, addr, &text);
	strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first 8 bytes of the input are an address, and the rest is the symbol table. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ksyms *t;
	uint64_t addr;
	FILE *f;

	if (size < sizeof(addr) + 1)
		return 0;
	memcpy(&addr, data, sizeof(addr));
	f = fmemopen((void *)(uintptr_t)(data + sizeof(addr)), size - sizeof(addr), "r");
	if (!f)
		return 0;
	t = ksyms_read(f);
	fclose(f);
	look_up(t, addr);
	for (uint64_t i = 0; i < 64; i++)
		look_up(t, 1ull << i);
	look_up(t, UINT64_MAX);
	ksyms_free(t);
	return 0;
}
