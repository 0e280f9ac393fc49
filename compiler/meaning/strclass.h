/*
 * strclass.h - the class of a string: the facts that the compiler knows about the string.
 *
 * A string is kept in a slot: memory with a tag, which tells the string's form (enum dstr_tag), and
 * the payload, which is the data of that form. For example, the payload of an address is the bytes
 * of the address.
 */
#ifndef COMPILER_MEANING_STRCLASS_H
#define COMPILER_MEANING_STRCLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/program.h"

struct compiler;
struct expr;
struct type;
struct var;

#define FORM(tag) (1u << (tag)) /* the bit of a form in struct strclass.forms */
#define PAYLOAD 4               /* offset of the payload in a slot, behind the tag */

/* Maximum sizes of addresses and numbers as text, with the NUL. */
enum {
	TEXT_IP4 = 16,
	TEXT_IP6 = 46,
	TEXT_INT = 24,
	TEXT_BASE = 66,
	TEXT_NAME = 64,
	TEXT_LONGEST = 72
};

/*
 * The class of a string: the forms that the string may have, as bits FORM(tag), and its greatest
 * size.
 */
struct strclass {
	unsigned forms;
	uint32_t size; /* size of the slot with tag and payload, a multiple of 4 bytes */
	/* Greatest size of the string as characters, with the NUL; at most strsize. */
	uint32_t text;
	/* if the string is an array of characters with all its bytes: the array's size, else 0 */
	uint32_t array;
	/*
	 * number of different literals that the string may be; @lit has these literals. Above
	 * STR_LITERALS if they are more or unknown.
	 */
	uint32_t nlit;
	const char *lit[4];
};

#define STR_LITERALS 4

/* Where a string comes from. */
enum str_form {
	S_NO_STRING,
	S_NULL,
	S_LITERAL,
	S_NAME, /* a built-in variable whose text is known at compile time */
	/* a native argument (argument before translation): each hook computes it in its own way */
	S_NATIVE,
	S_MEM, /* characters in memory, up to a NUL; str_memory() tells where */
	S_VAR, /* the slot of a variable */
	S_COND,
	S_COMMA,
	S_ASSIGN,
	S_IP4,
	S_IP6,
	S_NTOP, /* an address; the forms S_IP4 and S_IP6 are addresses too */
	S_INT,  /* a number, shown in decimal or another base */
	S_JOIN, /* two strings, one after the other */
	S_ENUM, /* the name of an enum value */
	/* the name of a number, such as a user ID; only the consumer can look up this name */
	S_NAMED,
	S_NET,   /* the first bits of an address */
	S_CHARS, /* characters that a subroutine writes */
};

/* A string expression, and where its value comes from. */
struct sval {
	enum str_form form;
	const struct expr *e;
};

/*
 * Returns where the value of string expression @e comes from; @e is type-checked already. For S_MEM
 * and S_NULL, the member e of the result is the conversion to a string.
 */
struct sval sval_of(const struct expr *e);

/*
 * Returns the expression whose value is, or points to, the characters of @e, which has the form
 * S_MEM: the operand if @e is a conversion, else @e itself.
 */
const struct expr *str_memory(const struct expr *e);

/* Returns the class of the type-checked string expression @e. */
struct strclass str_class(struct compiler *c, const struct expr *e);

/* Returns the class of a string that may have class @a or class @b. */
struct strclass str_union(struct strclass a, struct strclass b);

/*
 * Returns whether strings of class @s can be compared by the bytes of their slots: two strings are
 * equal if and only if all bytes are.
 */
bool str_is_exact(struct strclass s);

/*
 * Returns whether a string of class @s is always NULL or a text from the program itself, never
 * observed data.
 */
bool str_is_own(struct strclass s);

/*
 * Returns whether strings of class @s are only layout, and no data: one literal of blanks, line
 * breaks, arrows and separators, or a choice between literals of blanks and line breaks, one of
 * which may be empty. A choice between arrows, such as "->" and "<-", is data.
 */
bool str_is_layout(struct strclass s);

/*
 * Returns whether a string of class @s may be the name of a number. The characters of such a name
 * exist only when the consumer (the part of dtrace that prints) prints the name.
 */
bool str_is_named(struct strclass s);

/* Returns whether strings of class @s are kept as characters, unless they are NULL. */
bool str_is_text(struct strclass s);

/*
 * Returns whether @e is a NULL of type string, or a constant 0, which a conversion to a string
 * turns into NULL.
 */
bool str_is_null(const struct expr *e);

/* Returns the class that a string of class @s has after it is converted to characters. */
struct strclass str_as_text(struct strclass s);

/*
 * Returns the class of the strings that variable @v holds. Strings stay binary if they are only
 * computed addresses, computed names of numbers, and at most STR_LITERALS literals. All other
 * strings are kept as characters.
 */
struct strclass str_var_class(const struct var *v);

/*
 * Returns whether @s is exactly the text that inet_ntoa(), inet_ntoa6() or inet_ntop() makes of an
 * address. If so, sets @addr to the bytes of the address, and @tag to the form that prints as @s.
 */
bool str_is_address(const char *s, enum dstr_tag *tag, uint8_t addr[16]);

/* Returns @s truncated to strsize bytes with its NUL. A truncated text is in the arena. */
const char *str_bounded(struct compiler *c, const char *s);

/*
 * Returns the maximum size, with the NUL, of a text that is made of the value of @e: strsize, or
 * the size of an array and a NUL if that is less.
 */
uint32_t str_text_room(struct compiler *c, const struct expr *e);

/* Returns whether the base that lltostr( ) gets is not 10, or is known only at run time. */
bool str_other_base(const struct expr *call);

#endif
