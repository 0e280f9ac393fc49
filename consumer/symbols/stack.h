/*
 * stack.h - read and print recorded stacks.
 */
#ifndef CONSUMER_SYMBOLS_STACK_H
#define CONSUMER_SYMBOLS_STACK_H

#include <stddef.h>
#include <stdint.h>

struct ksyms;
struct strbuf;

enum { STACK_INDENT = 14 };

/*
 * The stack in the @size byte slot @slot (struct stack_slot): @at becomes its first
 * address, 8 bytes each, not aligned.  Returns how many there are, without those of
 * tracing itself and those beyond the limit.  @t may be NULL: the running kernel's table.
 */
size_t stack_read(const void *slot, uint32_t size, const struct ksyms *t, const char **at);

/*
 * Appends a newline, then the @n addresses at @at, one on each line, behind @indent
 * blanks and padded to @width (negative: to the right).  @t as above.
 */
void stack_show(struct strbuf *out, const char *at, size_t n, const struct ksyms *t, int indent,
		int width);

/*
 * The same of a process's stack (struct ustack_slot): the first of the numbers at @at is
 * its pid, the others are addresses.  Returns how many numbers.
 */
size_t ustack_read(const void *slot, uint32_t size, const char **at);
void ustack_show(struct strbuf *out, const char *at, size_t n, int indent, int width);

/*
 * Append how the @i-th address of a stack that was read is called, and return it; of a
 * process's the pid does not count.
 */
uint64_t stack_frame(struct strbuf *out, const char *at, size_t i);
uint64_t ustack_frame(struct strbuf *out, const char *at, size_t i);
/* Append the name of the function that the @i-th address is in, as above without an offset. */
void stack_name(struct strbuf *out, const char *at, size_t i);
void ustack_name(struct strbuf *out, const char *at, size_t i);

#endif
