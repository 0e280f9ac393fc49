/*
 * notes.c - reads the section .note.stapsdt. A note has three addresses: of the instruction, of the
 * section .stapsdt.base when the note was written, and of the semaphore (a counter of tracers).
 * Three strings follow.
 *
 * The addresses are those that the linker assigned. If the file was prelinked later, all addresses
 * have moved by the same distance:
 *
 *	present address of .stapsdt.base - address of .stapsdt.base in the note
 */
#include "procinfo/notes.h"

#include "procinfo/libdw.h"
#include "procinfo/symbols.h"

#ifdef HAVE_LIBDW
#include <elf.h>
#include <string.h>
#include <unistd.h>

#define OWNER "stapsdt"
#ifndef NT_STAPSDT
#define NT_STAPSDT 3
#endif

#define LOADS_MAX 64

struct note_reader {
	Elf *elf;
	size_t names; /* index of the section with the names of sections */
	Elf64_Phdr load[LOADS_MAX];
	uint32_t nload;
	uint64_t base;
	void (*fn)(void *ctx, const struct elf_note *n);
	void *ctx;
};

/*
 * Returns the next section called @name after the section @from, and sets @sh to its header.
 * Returns NULL if there is no such section.
 */
static Elf_Scn *find_section(const struct note_reader *r, Elf_Scn *from, const char *name,
			     GElf_Shdr *sh)
{
	const struct libdw *lib = libdw();
	Elf_Scn *s = from;

	while ((s = lib->elf_nextscn(r->elf, s))) {
		const char *this_name = lib->gelf_getshdr(s, sh)
						? lib->elf_strptr(r->elf, r->names, sh->sh_name)
						: NULL;

		if (this_name && !strcmp(this_name, name))
			return s;
	}
	return NULL;
}

/*
 * Converts an address to an offset in the file. Returns 0 if the address is in none of the loaded
 * segments.
 */
static uint64_t file_offset(const struct note_reader *r, uint64_t addr)
{
	for (uint32_t i = 0; i < r->nload; i++)
		if (addr >= r->load[i].p_vaddr && addr - r->load[i].p_vaddr < r->load[i].p_filesz)
			return addr - r->load[i].p_vaddr + r->load[i].p_offset;
	return 0;
}

/* Returns elf_note.semaphore for the semaphore at address @addr. */
static uint64_t semaphore_offset(const struct note_reader *r, uint64_t addr)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), at = file_offset(r, addr);

	for (uint32_t i = 0; i < r->nload && !at; i++) {
		const Elf64_Phdr *p = &r->load[i];
		uint64_t in = addr - p->p_vaddr, end = p->p_offset + p->p_filesz;

		if (addr < p->p_vaddr || in >= p->p_memsz)
			continue;
		if (p->p_filesz && p->p_offset + in < (end + page - 1) / page * page)
			at = p->p_offset + in;
	}
	return at ? at : SEMAPHORE_BEYOND;
}

/*
 * Reads the string at *@s and moves *@s behind it. Returns NULL if the string has no NUL before
 * @end.
 */
static const char *read_text(const char **s, const char *end)
{
	const char *text = *s, *nul = text < end ? memchr(text, '\0', (size_t)(end - text)) : NULL;

	*s = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

static void read_desc(const struct note_reader *r, const char *desc, size_t size)
{
	const char *text = desc + 24, *end = desc + size;
	uint64_t at[3], bias;
	struct elf_note n;

	if (size < 24)
		return;
	memcpy(at, desc, sizeof(at));
	n.prov = read_text(&text, end);
	n.name = read_text(&text, end);
	n.args = read_text(&text, end);
	bias = r->base ? r->base - at[1] : 0;
	n.at = file_offset(r, at[0] + bias);
	n.semaphore = at[2] ? semaphore_offset(r, at[2] + bias) : 0;
	if (n.prov && n.name && n.args && n.at)
		r->fn(r->ctx, &n);
}

static size_t aligned(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static void read_notes(const struct note_reader *r, const char *at, size_t size)
{
	while (size >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr h;
		size_t name, all;

		memcpy(&h, at, sizeof(h));
		name = sizeof(h) + aligned(h.n_namesz);
		all = name + aligned(h.n_descsz);
		if (all > size || all < name)
			return;
		if (h.n_type == NT_STAPSDT && h.n_namesz == sizeof(OWNER) &&
		    !memcmp(at + sizeof(h), OWNER, sizeof(OWNER)))
			read_desc(r, at + name, h.n_descsz);
		at += all;
		size -= all;
	}
}

static void read_elf(struct note_reader *r)
{
	const struct libdw *lib = libdw();
	Elf_Scn *s = NULL;
	GElf_Shdr sh;

	if (lib->elf_getshdrstrndx(r->elf, &r->names))
		return;
	if (find_section(r, NULL, ".stapsdt.base", &sh))
		r->base = sh.sh_addr;
	while ((s = find_section(r, s, ".note.stapsdt", &sh))) {
		Elf_Data *d = lib->elf_getdata(s, NULL);

		if (d && d->d_buf)
			read_notes(r, d->d_buf, d->d_size);
	}
}

/* Reads the loaded segments. Returns false if the file is not a 64-bit ELF file. */
static bool read_loads(struct note_reader *r, int fd)
{
	Elf64_Phdr ph;
	Elf64_Ehdr h;

	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) || memcmp(h.e_ident, ELFMAG, SELFMAG) ||
	    h.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	for (uint32_t i = 0; i < h.e_phnum && r->nload < LOADS_MAX; i++) {
		if (pread(fd, &ph, sizeof(ph), (off_t)(h.e_phoff + i * sizeof(ph))) != sizeof(ph))
			return true;
		if (ph.p_type == PT_LOAD)
			r->load[r->nload++] = ph;
	}
	return true;
}

void elf_notes(int fd, void (*fn)(void *ctx, const struct elf_note *n), void *ctx)
{
	struct note_reader r = {.fn = fn, .ctx = ctx};

	if (!libdw() || !read_loads(&r, fd))
		return;
	r.elf = libdw()->elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (r.elf) {
		read_elf(&r);
		libdw()->elf_end(r.elf);
	}
}
#endif
