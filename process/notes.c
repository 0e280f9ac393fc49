/*
 * notes.c - reads .note.stapsdt.
 *
 * A note is: three addresses (of the instruction, of section .stapsdt.base when the note was written,
 * of the semaphore), then three texts.  Addresses are the linker's: where the base is now says how far
 * they have moved.
 */
#include "process/notes.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "process/libdw.h"

#define ELF_C_READ_MMAP 8
#define OWNER "stapsdt"
#define NT_STAPSDT 3

struct reader {
	Elf *elf;
	size_t names; /* of sections */
	uint64_t base;
	void (*fn)(void *ctx, const struct note *n);
	void *ctx;
};

static const char *section_name(const struct reader *r, const Elf64_Shdr *sh)
{
	const char *name = libdw()->elf_strptr(r->elf, r->names, sh->sh_name);

	return name ? name : "";
}

/* The section of that name after @from; NULL: there is none. */
static Elf_Scn *find_section(const struct reader *r, Elf_Scn *from, const char *name, Elf64_Shdr **sh)
{
	const struct libdw *lib = libdw();
	Elf_Scn *s = from;

	while ((s = lib->elf_nextscn(r->elf, s))) {
		*sh = lib->elf64_getshdr(s);
		if (*sh && !strcmp(section_name(r, *sh), name))
			return s;
	}
	return NULL;
}

/* Where the address is in the file; 0: in no part of it that is loaded. */
static uint64_t file_offset(const struct reader *r, uint64_t addr)
{
	const Elf64_Phdr *ph = libdw()->elf64_getphdr(r->elf);
	size_t n = 0;

	if (!ph || libdw()->elf_getphdrnum(r->elf, &n))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (ph[i].p_type == PT_LOAD && addr >= ph[i].p_vaddr && addr - ph[i].p_vaddr < ph[i].p_filesz)
			return addr - ph[i].p_vaddr + ph[i].p_offset;
	return 0;
}

/* The text at *@s, which moves behind it; NULL: it does not end before @end. */
static const char *take_text(const char **s, const char *end)
{
	const char *text = *s, *nul = text < end ? memchr(text, '\0', (size_t)(end - text)) : NULL;

	*s = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

static void read_desc(const struct reader *r, const char *desc, size_t size)
{
	const char *text = desc + 24, *end = desc + size;
	uint64_t at[3], moved;
	struct note n;

	if (size < 24)
		return;
	memcpy(at, desc, sizeof(at));
	n.prov = take_text(&text, end);
	n.name = take_text(&text, end);
	n.args = take_text(&text, end);
	moved = r->base ? r->base - at[1] : 0;
	n.at = file_offset(r, at[0] + moved);
	n.semaphore = at[2] ? file_offset(r, at[2] + moved) : 0;
	if (n.prov && n.name && n.args && n.at)
		r->fn(r->ctx, &n);
}

static size_t aligned(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static void read_notes(const struct reader *r, const char *at, size_t size)
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

static void read_elf(struct reader *r)
{
	const struct libdw *lib = libdw();
	Elf_Scn *s = NULL;
	Elf64_Shdr *sh;

	if (!lib->elf64_getehdr(r->elf) || lib->elf_getshdrstrndx(r->elf, &r->names))
		return;
	if (find_section(r, NULL, ".stapsdt.base", &sh))
		r->base = sh->sh_addr;
	while ((s = find_section(r, s, ".note.stapsdt", &sh))) {
		struct elf_data *d = lib->elf_getdata(s, NULL);

		if (d && d->buf)
			read_notes(r, d->buf, d->size);
	}
}

void notes_each(const char *path, void (*fn)(void *ctx, const struct note *n), void *ctx)
{
	struct reader r = {.fn = fn, .ctx = ctx};
	int fd = libdw() ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	r.elf = libdw()->elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (r.elf) {
		read_elf(&r);
		libdw()->elf_end(r.elf);
	}
	close(fd);
}
