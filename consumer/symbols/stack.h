/*
 * stack.h - reads and prints recorded stacks.
 *
 * A stack is an array of addresses of 8 bytes each, which need not be aligned.  The innermost frame
 * comes first.  In the stack of a process the first number is the process ID.
 */
#ifndef CONSUMER_SYMBOLS_STACK_H
#define CONSUMER_SYMBOLS_STACK_H

#include <stddef.h>
#include <stdint.h>

struct ksyms;
struct strbuf;

enum { STACK_INDENT = 14 }; /* default number of blanks before each frame */

/*
 * Reads the kernel stack that is recorded in the @size bytes at @slot (struct stack_slot). Sets
 * *@at to the addresses, which are in @slot, and returns their number.
 *
 * Leaves out the innermost frames if they belong to tracing itself, and the frames beyond the
 * program's limit. @t is the symbol table to use, or NULL for the table of the running kernel.
 */
size_t stack_read(const void *slot, uint32_t size, const struct ksyms *t, const char **at);

/*
 * Appends a newline, and then a line for each of the @n addresses at @at. @t is the symbol table,
 * as for stack_read(). Each line begins with @indent blanks. Its text is right-justified in @width
 * columns, or left-justified if @width is negative.
 */
void stack_show(struct strbuf *out, const char *at, size_t n, const struct ksyms *t, int indent,
		int width);

/*
 * ustack_read() and ustack_show() do the same for the stack of a process (struct ustack_slot).
 * ustack_read() returns the number of addresses plus 1, because *@at begins with the process ID. It
 * returns 0 if the program wanted no frames.
 */
size_t ustack_read(const void *slot, uint32_t size, const char **at);
void ustack_show(struct strbuf *out, const char *at, size_t n, int indent, int width);

/*
 * stack_frame() and ustack_frame() append the name of frame @i with its offset, such as
 * "mod`name+0x1f", and return the address of the frame. In the stack of a process, frame 0 is the
 * address that follows the process ID.
 */
uint64_t stack_frame(struct strbuf *out, const char *at, size_t i);
uint64_t ustack_frame(struct strbuf *out, const char *at, size_t i);

/* stack_name() and ustack_name() append the name of frame @i without an offset. */
void stack_name(struct strbuf *out, const char *at, size_t i);
void ustack_name(struct strbuf *out, const char *at, size_t i);

#endif
