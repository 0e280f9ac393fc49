/*
 * strclass.h - facts about strings before code is generated for them.
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
#define PAYLOAD 4               /* offset of the payload in a slot, after the tag */

/* Maximum sizes of addresses and numbers as text, NUL included. */
enum {
	TEXT_IP4 = 16,
	TEXT_IP6 = 46,
	TEXT_INT = 24,
	TEXT_BASE = 66,
	TEXT_NAME = 64,
	TEXT_LONGEST = 72
};

/* The forms that a string may have, as bits 1 << enum dstr_tag, and the size of its slot. */
struct strclass {
	unsigned forms;
	uint32_t size; /* size of the slot: tag and payload, a multiple of 4 bytes */
	/* size of the string as characters, NUL included, at most strsize */
	uint32_t text;
	uint32_t nlit; /* number of texts in @lit; above STR_LITERALS: other texts are possible */
	const char *lit[4];
};

#define STR_LITERALS 4

/* Where a string comes from. */
enum str_form {
	S_NO_STRING,
	S_NULL,
	S_LITERAL,
	S_NAME,   /* a built-in variable whose text is known at compile time */
	S_NATIVE, /* a native argument: each hook computes it in its own way */
	S_MEM,    /* characters in memory, up to a NUL; the conversion says where */
	S_VAR,    /* the slot of a variable */
	S_COND,
	S_COMMA,
	S_ASSIGN,
	S_IP4,
	S_IP6,
	S_NTOP,  /* an address */
	S_INT,   /* a number */
	S_JOIN,  /* two strings */
	S_ENUM,  /* the name of an enum value */
	S_NAMED, /* the name of a number, which the consumer knows */
	S_NET,   /* the first bits of an address */
	S_CHARS, /* written by a subroutine */
};

/* A string before code is generated for it. */
struct sval {
	enum str_form form;
	const struct expr *e;
};

/* Returns the source of typed string expression @e. For S_MEM and S_NULL, ->e is the conversion. */
struct sval sval_of(const struct expr *e);

/*
 * Returns the expression that has the characters of @e, an expression of form S_MEM: the operand if
 * @e is a conversion, else @e itself.
 */
const struct expr *str_memory(const struct expr *e);

/* Returns the class of a typed string expression. */
struct strclass str_class(struct compiler *c, const struct expr *e);

/* Returns the class of a string that has class @a or class @b. */
struct strclass str_union(struct strclass a, struct strclass b);

/* Returns whether two strings of class @s are equal exactly if the bytes of their slots are. */
bool str_is_exact(struct strclass s);

/* Returns whether a string of class @s is a text of the program or NULL, never observed data. */
bool str_is_own(struct strclass s);

/*
 * Returns whether the string is layout, which shows no data. Layout is one literal of blanks, line
 * breaks, arrows and separators, or a choice of literals of blanks and line breaks. A choice of
 * arrows, such as "->" or "<-", is data.
 */
bool str_is_layout(struct strclass s);

/*
 * Returns whether a string of class @s may be the name of a number. The characters of such a name
 * exist only when the consumer prints it.
 */
bool str_is_named(struct strclass s);

/* Returns whether strings of class @s are kept as characters, unless they are NULL. */
bool str_is_text(struct strclass s);

/* Returns whether @e is a NULL of type string, or a constant 0, which would convert to one. */
bool str_is_null(const struct expr *e);

/* Returns the class that a string of class @s has after it is converted to characters. */
struct strclass str_as_text(struct strclass s);

/*
 * Returns the class of a variable's strings. Computed addresses and names of numbers stay binary,
 * also with up to STR_LITERALS literals beside them. All other strings are kept as characters.
 */
struct strclass str_var_class(const struct var *v);

/*
 * Returns whether @s is a text that inet_ntoa(), inet_ntoa6() or inet_ntop() makes of an address.
 * If so, sets @addr to the bytes of the address, and @tag to the form in which they print as @s.
 */
bool str_is_address(const char *s, enum dstr_tag *tag, uint8_t addr[16]);

/* Returns @s truncated to strsize bytes, its NUL included; in the arena if it is truncated. */
const char *str_bounded(struct compiler *c, const char *s);

/*
 * Returns how many bytes a text made of a value of type @t can have, its NUL included: the size of
 * an array that is shorter than strsize, else strsize.
 */
uint32_t str_text_room(struct compiler *c, struct type *t);

/* Returns whether the base of lltostr( ) is not 10, or is computed. */
bool str_other_base(const struct expr *call);

#endif
