/*
 * elf_job.c - parses ELF files that others wrote. It runs in a reader, a confined process.
 * elf_rpc.h describes the requests.
 *
 * This file tells libdwfl that each ELF file is loaded at address 0. So libdwfl's addresses are
 * those that the linker assigned. The program headers convert between these addresses and offsets
 * in the file.
 */
#include "procinfo/elf_job.h"

#include "procinfo/elf_rpc.h"
#include "procinfo/libdw.h"

#ifdef HAVE_LIBDW
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "procinfo/insn.h"
#include "procinfo/note_args.h"
#include "procinfo/notes.h"
#include "procinfo/perf_map.h"

/* when an answer has at least this number of bytes, it is sent */
#define BATCH (RPC_MAX - ELF_TEXT_MAX - 4096)
#define CODE_MAX (16u << 20) /* maximum size of a function for ELF_CODE in bytes */

struct segment {
	uint64_t off, addr, size, memory;
	bool exec;
};

/* libdwfl's objects for one ELF file. */
struct module {
	bool tried;
	Dwfl *dwfl;
	Dwfl_Module *mod; /* the module, or NULL if libdwfl cannot read the file */
};

struct file {
	bool used;
	uint32_t number;
	int fd, debug_fd; /* descriptors of the file and of its debug file, or -1 */
	Elf64_Ehdr head;
	struct segment seg[ELF_SEGMENTS];
	uint32_t nseg;
	/* range of the linker's addresses; low is aligned as the first segment is */
	uint64_t low, high;
	struct module own, debug;
	/* contents of a perf map, which is a text file and has none of the members above */
	struct perf_map jit_code;
};

static struct file files[ELF_FILES];

static struct file *find(uint32_t number)
{
	for (size_t i = 0; i < ELF_FILES; i++)
		if (files[i].used && files[i].number == number)
			return &files[i];
	return NULL;
}

/* -------------------------------------------------------------------- segments */

static void read_segments(struct file *f)
{
	Elf64_Phdr ph;

	for (uint32_t i = 0; i < f->head.e_phnum && f->nseg < ELF_SEGMENTS; i++) {
		if (pread(f->fd, &ph, sizeof(ph), (off_t)(f->head.e_phoff + i * sizeof(ph))) !=
		    sizeof(ph))
			return;
		if (ph.p_type != PT_LOAD)
			continue;
		if (!f->nseg)
			f->low = ph.p_vaddr & -(ph.p_align ? ph.p_align : 1);
		if (ph.p_vaddr + ph.p_memsz > f->high)
			f->high = ph.p_vaddr + ph.p_memsz;
		f->seg[f->nseg++] = (struct segment){ph.p_offset, ph.p_vaddr, ph.p_filesz,
						     ph.p_memsz, ph.p_flags & PF_X};
	}
}

static const struct segment *segment_of_offset(const struct file *f, uint64_t offset)
{
	for (uint32_t i = 0; i < f->nseg; i++)
		if (offset >= f->seg[i].off && offset - f->seg[i].off < f->seg[i].size)
			return &f->seg[i];
	return NULL;
}

static const struct segment *segment_of_addr(const struct file *f, uint64_t addr)
{
	for (uint32_t i = 0; i < f->nseg; i++)
		if (addr >= f->seg[i].addr && addr - f->seg[i].addr < f->seg[i].size)
			return &f->seg[i];
	return NULL;
}

/* -------------------------------------------------------------------- libdwfl */

/* The ELF file that find_elf() will return. */
static struct {
	Elf *elf;
	int fd;
} next_elf = {.fd = -1};

/*
 * Returns the ELF file in next_elf, which is mapped read-only. libdwfl itself would map the file
 * writable. A writable mapping counts against RLIMIT_DATA, so large files could not be read.
 */
static int find_elf(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, char **file,
		    Elf **elf)
{
	int fd = next_elf.fd;

	(void)mod, (void)data, (void)name, (void)base, (void)file;
	*elf = next_elf.elf;
	next_elf.elf = NULL;
	next_elf.fd = -1;
	return fd;
}

/*
 * The callback of libdwfl that finds the debug file of a module. Finds none, because a debug file
 * is reported as a module of its own.
 */
static int find_debuginfo(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)mod, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc,
		(void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = {.find_elf = find_elf, .find_debuginfo = find_debuginfo};

/*
 * Reports the file to libdwfl. Returns false if libdwfl's addresses would differ from those of the
 * segments.
 */
static bool report(struct module *m, const struct file *f)
{
	const struct libdw *lib = libdw();
	GElf_Addr bias = 1;

	m->dwfl = lib->begin(&callbacks);
	if (!m->dwfl)
		return false;
	lib->report_begin(m->dwfl);
	m->mod = lib->report_module(m->dwfl, "file", f->low, f->high);
	lib->report_end(m->dwfl, NULL, NULL);
	return m->mod && lib->module_getelf(m->mod, &bias) && !bias;
}

/*
 * Returns the module for the file @fd, whose segments are those of @f. Returns NULL if libdwfl
 * cannot read the file. libdwfl owns the file that find_elf() has returned; everything else is
 * released here.
 */
static Dwfl_Module *module_of(struct module *m, const struct file *f, int fd)
{
	const struct libdw *lib = libdw();

	if (m->tried || fd < 0 || f->low >= f->high)
		return m->mod;
	m->tried = true;
	next_elf.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	next_elf.elf = next_elf.fd >= 0 ? lib->elf_begin(next_elf.fd, ELF_C_READ_MMAP, NULL) : NULL;
	if (!next_elf.elf || !report(m, f))
		m->mod = NULL;
	lib->elf_end(next_elf.elf);
	if (next_elf.fd >= 0)
		close(next_elf.fd);
	next_elf.elf = NULL;
	next_elf.fd = -1;
	return m->mod;
}

static Dwfl_Module *own_module(struct file *f)
{
	return module_of(&f->own, f, f->fd);
}

/*
 * Returns the module of the debug file, which contains all symbols of the file itself. Without a
 * debug file, returns the module of the file itself.
 */
static Dwfl_Module *module_with_symbols(struct file *f)
{
	Dwfl_Module *debug = module_of(&f->debug, f, f->debug_fd);

	return debug ? debug : own_module(f);
}

/* ----------------------------------------------------------------- open, close */

static void close_file(struct file *f)
{
	if (f->own.dwfl)
		libdw()->end(f->own.dwfl);
	if (f->debug.dwfl)
		libdw()->end(f->debug.dwfl);
	close(f->fd);
	if (f->debug_fd >= 0)
		close(f->debug_fd);
	perf_map_release(&f->jit_code);
	memset(f, 0, sizeof(*f));
}

static bool is_elf(struct file *f)
{
	return pread(f->fd, &f->head, sizeof(f->head), 0) == sizeof(f->head) &&
	       !memcmp(f->head.e_ident, ELFMAG, SELFMAG) &&
	       (f->head.e_type == ET_EXEC || f->head.e_type == ET_DYN);
}

/*
 * Appends the build ID. The build ID is empty if the file has none, or if libdwfl cannot read the
 * file because it is a 32-bit file.
 */
static void put_build_id(struct file *f, struct strbuf *b)
{
	const unsigned char *id;
	GElf_Addr where;
	Dwfl_Module *mod = f->head.e_ident[EI_CLASS] == ELFCLASS64 ? own_module(f) : NULL;
	int n = mod ? libdw()->module_build_id(mod, &id, &where) : 0;

	rpc_put_bytes(b, n > 0 && n <= ELF_ID_MAX ? id : NULL,
		      n > 0 && n <= ELF_ID_MAX ? (size_t)n : 0);
}

static void describe(struct request *r, struct file *f)
{
	struct strbuf b = {0};

	rpc_put_u32(&b, f->head.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32);
	rpc_put_u32(&b, f->head.e_type);
	put_build_id(f, &b);
	rpc_put_u32(&b, f->nseg);
	for (uint32_t i = 0; i < f->nseg; i++) {
		rpc_put_u64(&b, f->seg[i].off);
		rpc_put_u64(&b, f->seg[i].addr);
		rpc_put_u64(&b, f->seg[i].size);
		rpc_put_u64(&b, f->seg[i].memory);
		rpc_put_u32(&b, f->seg[i].exec);
	}
	answer(r, ELF_OPEN, &b);
	strbuf_release(&b);
}

/* Reads a whole perf map now, because a process may append to the file while we use it. */
static bool open_perf_map(struct request *r, struct file *f)
{
	if (!perf_map_read(f->fd, &f->jit_code))
		return false;
	answer(r, ELF_PERF_MAP, NULL);
	return true;
}

static void open_file(struct request *r, uint32_t number)
{
	struct file *f = NULL;

	for (size_t i = 0; i < ELF_FILES && !f; i++)
		f = files[i].used ? NULL : &files[i];
	if (!f || r->fd < 0)
		return;
	*f = (struct file){.used = true, .number = number, .fd = r->fd, .debug_fd = -1};
	if (r->type == ELF_PERF_MAP ? !open_perf_map(r, f) : !is_elf(f)) {
		memset(f, 0, sizeof(*f));
		return;
	}
	r->fd = -1;
	if (r->type == ELF_PERF_MAP)
		return;
	if (f->head.e_ident[EI_CLASS] == ELFCLASS64)
		read_segments(f);
	describe(r, f);
}

static void set_debug_file(struct request *r, struct file *f)
{
	if (f->debug_fd >= 0)
		return;
	f->debug_fd = r->fd;
	r->fd = -1;
}

/* ----------------------------------------------------------------------- names */

/*
 * Appends a name without "@@VERSION", which names in debug files have at the end. If @plain is set,
 * the name is demangled.
 */
static void put_name(struct strbuf *b, const char *name, bool plain)
{
	char *base_name = strndup(name, strcspn(name, "@"));
	char *demangled = plain && base_name ? demangle(base_name) : NULL;
	const char *text = demangled ? demangled : base_name ? base_name : "";
	size_t n = strlen(text);

	rpc_put_bytes(b, text, n < DEMANGLED_MAX ? n : DEMANGLED_MAX);
	free(demangled);
	free(base_name);
}

static void name_jit_code(struct request *r, struct file *f, uint64_t addr)
{
	const struct perf_entry *e = perf_map_find(&f->jit_code, addr);
	struct strbuf b = {0};

	if (!e)
		return;
	rpc_put_u64(&b, addr - e->from);
	rpc_put_bytes(&b, f->jit_code.text + e->name,
		      e->length < ELF_TEXT_MAX ? e->length : ELF_TEXT_MAX);
	answer(r, ELF_NAME, &b);
	strbuf_release(&b);
}

static void name_offset(struct request *r, struct file *f, uint64_t offset)
{
	const struct segment *s = segment_of_offset(f, offset);
	Dwfl_Module *mod = s ? module_with_symbols(f) : NULL;
	struct strbuf b = {0};
	const char *name;
	GElf_Off off = 0;
	GElf_Sym sym;

	name = mod ? libdw()->module_addrinfo(mod, offset - s->off + s->addr, &off, &sym, NULL,
					      NULL, NULL)
		   : NULL;
	if (!name)
		return;
	rpc_put_u64(&b, off);
	put_name(&b, name, true);
	answer(r, ELF_NAME, &b);
	strbuf_release(&b);
}

/* ------------------------------------------------------------------- functions */

/* Sends the rows collected in @b as one answer. */
static void flush(struct request *r, struct strbuf *b)
{
	if (b->len)
		answer(r, r->type, b);
	strbuf_reset(b);
}

static void flush_if_full(struct request *r, struct strbuf *b)
{
	if (b->len > BATCH)
		flush(r, b);
}

static bool is_listed_name(const char *name)
{
	return strnlen(name, ELF_LISTED_NAME_MAX) < ELF_LISTED_NAME_MAX;
}

static bool is_function(const GElf_Sym *sym, const char *name)
{
	return name && *name && is_listed_name(name) && GELF_ST_TYPE(sym->st_info) == STT_FUNC &&
	       sym->st_shndx != SHN_UNDEF;
}

static bool can_probe(const struct file *f, uint64_t offset)
{
	uint8_t code[INSN_MAX];
	ssize_t n = pread(f->fd, code, sizeof(code), (off_t)offset);

	return n > 0 && !insn_refused(code, (size_t)n);
}

static void put_function(struct file *f, const GElf_Sym *sym, GElf_Addr addr, const char *name,
			 struct strbuf *b)
{
	const struct segment *s = segment_of_addr(f, addr);
	uint64_t at = s ? addr - s->addr : 0, offset = s ? at + s->off : 0;

	if (!s || !s->exec)
		return;
	/*
	 * Limit the size to the segment. If one function reached beyond the file, dtrace would
	 * refuse the whole answer.
	 */
	rpc_put_u64(b, offset);
	rpc_put_u64(b, sym->st_size < s->size - at ? sym->st_size : s->size - at);
	rpc_put_u32(b, (GELF_ST_BIND(sym->st_info) != STB_LOCAL ? FUNCTION_GLOBAL : 0) |
			       (can_probe(f, offset) ? 0 : FUNCTION_NO_PROBE));
	put_name(b, name, false);
}

static void list_functions(struct request *r, struct file *f)
{
	Dwfl_Module *mod = module_with_symbols(f);
	int n = mod ? libdw()->module_getsymtab(mod) : 0;
	struct strbuf b = {0};
	size_t sent = 0;

	for (int i = 0; i < n && sent <= ELF_LIST_MAX; i++) {
		GElf_Sym sym;
		size_t before;
		GElf_Addr addr;
		const char *name = libdw()->module_getsym_info(mod, i, &sym, &addr, NULL, NULL,
							       NULL);

		if (!is_function(&sym, name))
			continue;
		flush_if_full(r, &b);
		before = b.len;
		put_function(f, &sym, addr, name, &b);
		sent += b.len - before;
	}
	flush(r, &b);
	strbuf_release(&b);
}

/* ------------------------------------------------------------------------ code */

static size_t read_code(const struct file *f, uint64_t from, uint64_t size, uint8_t **code)
{
	ssize_t n;

	*code = xmalloc(size + INSN_MAX);
	n = pread(f->fd, *code, size + INSN_MAX, (off_t)from);
	return n > 0 ? (size_t)n : 0;
}

/*
 * Lists the instructions of a function. Stops at the first bytes that are not a known instruction.
 */
static void list_code(struct request *r, struct file *f, uint64_t from, uint64_t size)
{
	struct strbuf b = {0};
	uint8_t *code;
	size_t n, at = 0, length;

	if (size > CODE_MAX)
		return;
	n = read_code(f, from, size, &code);
	while (at < size && at < n) {
		flush_if_full(r, &b);
		rpc_put_u32(&b, (uint32_t)at);
		rpc_put_u32(&b, insn_refused(code + at, n - at) ? CODE_NO_PROBE : 0);
		length = insn_length(code + at, n - at);
		if (!length)
			break;
		at += length;
	}
	flush(r, &b);
	strbuf_release(&b);
	xfree(code);
}

/* ----------------------------------------------------------------------- notes */

struct note_answer {
	struct request *request;
	struct strbuf body;
	size_t sent;
};

static void put_argument(const struct arg_location *p, struct strbuf *b)
{
	rpc_put_u32(b, p->kind);
	rpc_put_u32(b, p->size);
	rpc_put_u32(b, p->sgn);
	rpc_put_u32(b, (uint32_t)p->reg);
	rpc_put_u32(b, (uint32_t)p->index);
	rpc_put_u32(b, (uint32_t)p->scale);
	rpc_put_u64(b, (uint64_t)p->value);
}

static void put_note(void *ctx, const struct elf_note *n)
{
	struct note_answer *g = ctx;
	struct strbuf *b = &g->body;
	struct arg_location *offset;
	struct arena a = {0};
	uint32_t args;
	size_t before;

	if (strlen(n->prov) + strlen(n->name) + strlen(n->args) > ELF_TEXT_MAX / 2 ||
	    !is_listed_name(n->prov) || !is_listed_name(n->name) || g->sent > ELF_LIST_MAX)
		return;
	flush_if_full(g->request, b);
	before = b->len;
	offset = note_args(&a, n->args, &args);
	args = args < ELF_ARGUMENTS ? args : ELF_ARGUMENTS;
	rpc_put_u64(b, n->at);
	rpc_put_u64(b, n->semaphore);
	rpc_put_text(b, n->prov);
	rpc_put_text(b, n->name);
	rpc_put_u32(b, args);
	for (uint32_t i = 0; i < args; i++)
		put_argument(&offset[i], b);
	g->sent += b->len - before;
	arena_release(&a);
}

static void list_notes(struct request *r, struct file *f)
{
	struct note_answer g = {.request = r};

	elf_notes(f->fd, put_note, &g);
	flush(r, &g.body);
	strbuf_release(&g.body);
}

/* -------------------------------------------------------------------- requests */

static void serve_file(struct request *r, struct file *f)
{
	uint64_t a = 0, b = 0;

	if (r->type == ELF_NAME || r->type == ELF_CODE)
		a = rpc_u64(&r->in);
	if (r->type == ELF_CODE)
		b = rpc_u64(&r->in);
	if (!rpc_ended(&r->in))
		return;
	if (r->type == ELF_DEBUG)
		set_debug_file(r, f);
	else if (r->type == ELF_NAME && f->jit_code.entry.n)
		name_jit_code(r, f, a);
	else if (r->type == ELF_NAME)
		name_offset(r, f, a);
	else if (r->type == ELF_FUNCTIONS)
		list_functions(r, f);
	else if (r->type == ELF_NOTES)
		list_notes(r, f);
	else if (r->type == ELF_CODE)
		list_code(r, f, a, b);
	else if (r->type == ELF_CLOSE)
		close_file(f);
}

static void serve(struct request *r)
{
	uint32_t number = rpc_u32(&r->in);
	struct file *f = find(number);

	if (!libdw())
		return;
	if ((r->type == ELF_OPEN || r->type == ELF_PERF_MAP) && !f)
		open_file(r, number);
	else if (f)
		serve_file(r, f);
}
#else
static void serve(struct request *r)
{
	(void)r;
}
#endif

const struct job elf_job = {.name = "elf", .load = libdw_load, .serve = serve};
