/*
 * note_args.c - parses argument locations. A location has the form SIZE@OPERAND; the operand is in
 * assembler syntax.
 */
#include "procinfo/note_args.h"

#include <asm/ptrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

#ifdef __x86_64__

#define AT(reg) offsetof(struct pt_regs, reg)

/* The names of each register when 64, 32, 16 and 8 of its bits are used. */
static const struct {
	const char *name[4];
	int32_t at;
} registers[] = {
	{{"rax", "eax", "ax", "al"}, AT(rax)},      {{"rbx", "ebx", "bx", "bl"}, AT(rbx)},
	{{"rcx", "ecx", "cx", "cl"}, AT(rcx)},      {{"rdx", "edx", "dx", "dl"}, AT(rdx)},
	{{"rsi", "esi", "si", "sil"}, AT(rsi)},     {{"rdi", "edi", "di", "dil"}, AT(rdi)},
	{{"rbp", "ebp", "bp", "bpl"}, AT(rbp)},     {{"rsp", "esp", "sp", "spl"}, AT(rsp)},
	{{"r8", "r8d", "r8w", "r8b"}, AT(r8)},      {{"r9", "r9d", "r9w", "r9b"}, AT(r9)},
	{{"r10", "r10d", "r10w", "r10b"}, AT(r10)}, {{"r11", "r11d", "r11w", "r11b"}, AT(r11)},
	{{"r12", "r12d", "r12w", "r12b"}, AT(r12)}, {{"r13", "r13d", "r13w", "r13b"}, AT(r13)},
	{{"r14", "r14d", "r14w", "r14b"}, AT(r14)}, {{"r15", "r15d", "r15w", "r15b"}, AT(r15)},
};

/*
 * Parses a register name such as "%rdi" and moves *@s behind it. Returns the register's offset, or
 * -1 if the name is unknown.
 */
static int32_t parse_register(const char **s)
{
	size_t n;

	if (**s != '%')
		return -1;
	n = strspn(++*s, "abcdefghijklmnopqrstuvwxyz0123456789");
	for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++)
		for (int k = 0; k < 4; k++)
			if (strlen(registers[i].name[k]) == n &&
			    !strncmp(registers[i].name[k], *s, n)) {
				*s += n;
				return registers[i].at;
			}
	return -1;
}

/*
 * Parses a memory operand without its displacement: "(BASE)", "(BASE,INDEX,SCALE)" or
 * "(,INDEX,SCALE)".
 */
static bool parse_memory(const char **s, struct arg_location *p)
{
	p->kind = LOCATION_MEMORY;
	p->scale = 1;
	++*s;
	if (**s != ',' && (p->reg = parse_register(s)) < 0)
		return false;
	if (**s == ',') {
		++*s;
		p->index = parse_register(s);
		if (p->index < 0)
			return false;
	}
	if (**s == ',')
		p->scale = (int32_t)strtol(*s + 1, (char **)(uintptr_t)s, 10);
	return *(*s)++ == ')';
}

/* Parses an operand: "$5", "%edi" or "-8(%rbp)". */
static bool parse_operand(const char **s, struct arg_location *p)
{
	bool constant = **s == '$';

	if (**s == '%') {
		p->kind = LOCATION_REGISTER;
		p->reg = parse_register(s);
		return p->reg >= 0;
	}
	*s += constant;
	p->value = (int64_t)strtoull(*s, (char **)(uintptr_t)s, 0);
	if (constant) {
		p->kind = LOCATION_CONSTANT;
		return true;
	}
	return **s == '(' && parse_memory(s, p);
}

#elif defined(__aarch64__)

/*
 * Parses a register name ("x0", "w0" or "sp") and moves *@s behind it. Returns the register's
 * offset, or -1 if the name is unknown.
 */
static int32_t parse_register(const char **s)
{
	char *end;
	long n;

	if (!strncmp(*s, "sp", 2)) {
		*s += 2;
		return offsetof(struct user_pt_regs, sp);
	}
	if (**s != 'x' && **s != 'w')
		return -1;
	n = strtol(*s + 1, &end, 10);
	if (end == *s + 1 || n < 0 || n > 30)
		return -1;
	*s = end;
	return (int32_t)offsetof(struct user_pt_regs, regs[n]);
}

/* Parses a memory operand: "[x0]", "[sp, 8]" or "[x0, x1]". */
static bool parse_memory(const char **s, struct arg_location *p)
{
	p->kind = LOCATION_MEMORY;
	p->scale = 1;
	++*s;
	p->reg = parse_register(s);
	if (p->reg < 0)
		return false;
	if (**s == ',') {
		*s += 1 + strspn(*s + 1, " ");
		if (**s == 'x')
			p->index = parse_register(s);
		else
			p->value = strtoll(*s, (char **)(uintptr_t)s, 0);
	}
	return *(*s)++ == ']';
}

/* Parses an operand: "5", "w0" or "[sp, 8]". */
static bool parse_operand(const char **s, struct arg_location *p)
{
	char *end;

	if (**s == '[')
		return parse_memory(s, p);
	p->reg = parse_register(s);
	p->kind = LOCATION_REGISTER;
	if (p->reg >= 0)
		return true;
	p->kind = LOCATION_CONSTANT;
	p->value = strtoll(*s, &end, 0);
	if (end == *s)
		return false;
	*s = end;
	return true;
}

#else
#error "dtrace runs on x86-64 and arm64 only, see docs/limits.md"
#endif

/*
 * Returns the start of the next argument. A blank ends an argument, except inside the brackets of
 * an arm64 operand.
 */
static const char *skip_operand(const char *s)
{
	bool inside = false;

	for (; *s && (inside || *s != ' '); s++)
		inside = *s == '[' ? true : *s == ']' ? false : inside;
	return s + strspn(s, " ");
}

static struct arg_location parse_argument(const char *s)
{
	struct arg_location p = {.reg = -1, .index = -1, .size = 8};
	char *end;
	long size = strtol(s, &end, 10);

	if (end == s || *end != '@') { /* old notes have no size */
		end = (char *)(uintptr_t)s - 1;
		size = 8;
	}
	p.sgn = size < 0;
	p.size = size >= -8 && size <= 8 ? (uint32_t)labs(size) : 0;
	s = end + 1;
	if ((p.size != 1 && p.size != 2 && p.size != 4 && p.size != 8) || !parse_operand(&s, &p) ||
	    (*s && *s != ' '))
		return (struct arg_location){.kind = LOCATION_UNKNOWN,
					     .reg = -1,
					     .index = -1,
					     .size = 8};
	return p;
}

struct arg_location *note_args(struct arena *a, const char *text, uint32_t *n)
{
	VEC(struct arg_location) v = {0};

	for (text += strspn(text, " "); *text; text = skip_operand(text))
		vec_apush(a, &v, parse_argument(text));
	*n = (uint32_t)v.n;
	return v.v;
}

/* Returns whether @at is the offset of a register in the struct that a uprobe receives. */
static bool is_register_offset(int32_t at)
{
#ifdef __x86_64__
	const size_t size = sizeof(struct pt_regs);
#else
	const size_t size = sizeof(struct user_pt_regs);
#endif
	return at >= 0 && at % 8 == 0 && (size_t)at + 8 <= size;
}

bool arg_location_is_valid(const struct arg_location *p)
{
	bool sized = p->size == 1 || p->size == 2 || p->size == 4 || p->size == 8;

	switch (p->kind) {
	case LOCATION_CONSTANT:
	case LOCATION_UNKNOWN:
		return sized;
	case LOCATION_REGISTER:
		return sized && is_register_offset(p->reg);
	case LOCATION_MEMORY:
		return sized && (p->reg == -1 || is_register_offset(p->reg)) &&
		       (p->index == -1 || is_register_offset(p->index));
	}
	return false;
}
