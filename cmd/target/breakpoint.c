/* breakpoint.c - lets a new process run to its entry point or to main(). */
#include "cmd/target/breakpoint.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define TRAP 0xccu /* int3 */
#define TRAP_MASK 0xffu
#define TRAP_SIZE 1 /* number of bytes from the trap to the place where the process stops */
#define PC rip
#elif defined(__aarch64__)
#define TRAP 0xd4200000u /* brk #0 */
#define TRAP_MASK 0xffffffffu
#define TRAP_SIZE 0 /* the process stops at the trap instruction itself */
#define PC pc
#else
#error "dtrace runs on x86-64 and arm64 only, see docs/limits.md"
#endif

/* --------------------------------------------------------------- where to stop */

/* The file of a program, mapped into memory. */
struct image {
	const char *at;
	size_t size;
};

/*
 * Returns the address of @n elements of @size bytes each at offset @off of the file. Returns NULL
 * if they do not all lie in the file.
 */
static const void *part(const struct image *im, uint64_t off, uint64_t n, uint64_t size)
{
	return off <= im->size && size && n <= (im->size - off) / size ? im->at + off : NULL;
}

static const Elf64_Shdr *section(const struct image *im, const Elf64_Ehdr *eh, uint32_t i)
{
	const Elf64_Shdr *all = part(im, eh->e_shoff, eh->e_shnum, sizeof(*all));

	return all && i < eh->e_shnum ? &all[i] : NULL;
}

/*
 * Returns the value of the symbol main in the symbol table @table, or 0 if the table has no such
 * function.
 */
static uint64_t main_in(const struct image *im, const Elf64_Ehdr *eh, const Elf64_Shdr *table)
{
	const Elf64_Shdr *text = section(im, eh, table->sh_link);
	uint64_t n = table->sh_size / sizeof(Elf64_Sym);
	const Elf64_Sym *sym = part(im, table->sh_offset, n, sizeof(*sym));

	for (uint64_t i = 0; text && sym && i < n; i++) {
		const char *name = part(im, text->sh_offset + sym[i].st_name, sizeof("main"), 1);

		if (ELF64_ST_TYPE(sym[i].st_info) == STT_FUNC && name && !strcmp(name, "main"))
			return sym[i].st_value;
	}
	return 0;
}

static uint64_t find_main(const struct image *im, const Elf64_Ehdr *eh)
{
	uint64_t at = 0;

	for (uint32_t i = 0; i < eh->e_shnum && !at; i++) {
		const Elf64_Shdr *sh = section(im, eh, i);

		if (sh && (sh->sh_type == SHT_SYMTAB || sh->sh_type == SHT_DYNSYM))
			at = main_in(im, eh, sh);
	}
	return at;
}

/* Returns the address of the entry point in process @pid, or 0 if it is not known. */
static uint64_t entry_of(pid_t pid)
{
	char path[64];
	Elf64_auxv_t aux;
	uint64_t entry = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	f = fopen(path, "re");
	while (f && !entry && fread(&aux, sizeof(aux), 1, f) == 1)
		if (aux.a_type == AT_ENTRY)
			entry = aux.a_un.a_val;
	if (f)
		fclose(f);
	return entry;
}

static bool map_program(pid_t pid, struct image *im)
{
	char path[64];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	im->at = MAP_FAILED;
	if (!fstat(fd, &st) && st.st_size >= (off_t)sizeof(Elf64_Ehdr))
		im->at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	im->size = (size_t)st.st_size;
	close(fd);
	return im->at != MAP_FAILED;
}

/*
 * Returns the address at which the process must stop. Returns 0 if it is not known, as for a 32-bit
 * program.
 */
static uint64_t where(pid_t pid, bool to_main)
{
	const Elf64_Ehdr *eh;
	uint64_t at, in_main;
	struct image im;

	if (!map_program(pid, &im))
		return 0;
	eh = (const void *)im.at;
	at = eh->e_ident[EI_CLASS] == ELFCLASS64 ? entry_of(pid) : 0;
	in_main = at && to_main ? find_main(&im, eh) : 0;
	if (in_main)
		at += in_main - eh->e_entry;
	munmap((void *)(uintptr_t)im.at, im.size);
	return at;
}

/* -------------------------------------------------------------------- going there */

static bool get_regs(pid_t pid, struct user_regs_struct *r)
{
	struct iovec v = {r, sizeof(*r)};

	return !ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &v);
}

static void set_pc(pid_t pid, uint64_t pc)
{
	struct user_regs_struct r;
	struct iovec v = {&r, sizeof(r)};

	if (!get_regs(pid, &r))
		return;
	r.PC = pc;
	ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &v);
}

static uint64_t pc_of(pid_t pid)
{
	struct user_regs_struct r;

	return get_regs(pid, &r) ? r.PC : 0;
}

/*
 * Lets the process run to the trap at @at. Signals that are sent to the process on the way are
 * delivered to it.
 */
static void go_on(pid_t pid, uint64_t at, int *sig)
{
	int status;

	for (;;) {
		if (ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)*sig))
			return;
		if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
			return;
		*sig = WSTOPSIG(status);
		if (*sig == SIGTRAP && pc_of(pid) == at + TRAP_SIZE)
			break;
	}
	*sig = 0;
	set_pc(pid, at);
}

void breakpoint_run(pid_t pid, bool to_main, int *sig)
{
	uint64_t at = where(pid, to_main);
	long was;

	if (!at || pc_of(pid) == at)
		return;
	errno = 0;
	was = ptrace(PTRACE_PEEKTEXT, pid, (void *)(uintptr_t)at, NULL);
	if (errno || ptrace(PTRACE_POKETEXT, pid, (void *)(uintptr_t)at,
			    (void *)((was & ~(unsigned long)TRAP_MASK) | TRAP)))
		return;
	go_on(pid, at, sig);
	ptrace(PTRACE_POKETEXT, pid, (void *)(uintptr_t)at, (void *)was);
}
