/*
 * fuzz_procfs.c - reads damaged lines of /proc/PID/maps and /proc/PID/mountinfo, and names of
 * control groups. The parsers must not hang or crash. An address must be in the mapping that is
 * found for it, and a table must contain what was added and not removed.
 */
#include "procinfo/owner.c"
#include "procinfo/process.c"

#include "procinfo/mountinfo.h"

static void check_address(struct process *p, uint64_t addr)
{
	struct mapping *m = NULL, *newest = process_mapping_at(p, addr);
	struct process *in = NULL;

	if (newest && (addr < newest->from || addr >= newest->to))
		abort();
	if (process_find(p, addr, 0, &in, &m) && m != newest)
		abort();
	if (newest && strlen(mapping_name(p, newest)) > strlen(mapping_path(p, newest)))
		abort();
}

/* Reads the lines twice, in two processes, and adds the mappings of one to the other. */
static void fuzz_maps(const char *text)
{
	struct process *p = process_new(1), *newer = process_new(1);
	char *copy = xstrdup(text), *rest = copy, *line;

	for (unsigned n = 0; (line = strsep(&rest, "\n")); n++)
		add_line(n % 3 ? p : newer, line);
	process_merge(p, newer);
	for (size_t i = 0; i < p->map.n; i++) {
		check_address(p, p->map.v[i].from);
		check_address(p, p->map.v[i].to - 1);
		p->map.v[i].since = i;
		check_address(p, p->map.v[i].to);
	}
	process_free(process_copy(p, 2));
	process_free(newer);
	process_free(p);
	xfree(copy);
}

static void fuzz_mountinfo(const char *text)
{
	char *copy = xstrdup(text);
	struct mountinfo m;

	if (mountinfo_parse(&m, copy) &&
	    strlen(m.root) + strlen(m.at) + strlen(m.type) > 2 * strlen(text))
		abort();
	xfree(copy);
}

static void fuzz_container(const char *text)
{
	struct strbuf name = {0};

	if (match_container(text, strlen(text), &name) != is_container(text) ||
	    name.len > strlen(text))
		abort();
	level_of(text);
	strbuf_release(&name);
}

/* Each byte adds or removes an entry of a table. */
static void fuzz_table(const uint8_t *data, size_t size)
{
	bool known[128] = {false};
	struct table t = {0};

	for (size_t i = 0; i < size; i++) {
		uint64_t id = (data[i] & 63) | data[i] >> 7 << 6;

		known[id] = data[i] & 64;
		if (known[id])
			table_put(&t, id << 32, "x");
		else
			table_drop(&t, id << 32);
		if (!table_find(&t, id << 32) != !known[id])
			abort();
	}
	table_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xmalloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	fuzz_maps(text);
	fuzz_mountinfo(text);
	fuzz_container(text);
	fuzz_table(data, size);
	xfree(text);
	return 0;
}
