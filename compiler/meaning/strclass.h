/*
 * strclass.h - strings as far as they are known before there is code for them.
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

#define FORM(tag) (1u << (tag)) /* of struct strclass.forms */
#define PAYLOAD 4               /* bytes of a slot before it: the tag */

/* Characters, NUL included, that addresses and numbers may have. */
enum {
	TEXT_IP4 = 16,
	TEXT_IP6 = 46,
	TEXT_INT = 24,
	TEXT_BASE = 66,
	TEXT_NAME = 64,
	TEXT_LONGEST = 72
};

/*
 * Facts about a string before it exists: the forms that it may take (bits 1 << enum dstr_tag), and
 * the bytes that its slot needs.
 */
struct strclass {
	unsigned forms;
	uint32_t size; /* of the slot: tag and payload, a multiple of 4 */
	/* bytes it has when written out as characters, NUL included, at most strsize */
	uint32_t text;
	uint32_t nlit; /* the texts that it may be the index of; more than STR_LITERALS: any */
	const char *lit[4];
};

#define STR_LITERALS 4

/* The sources of a string. */
enum str_form {
	S_NO_STRING,
	S_NULL,
	S_LITERAL,
	S_NAME,   /* a built-in variable whose text is known when compiling */
	S_NATIVE, /* what each hook of the probe gives */
	S_MEM,    /* characters in memory, up to a NUL: the conversion says where */
	S_VAR,    /* a variable's slot */
	S_COND,
	S_COMMA,
	S_ASSIGN,
	S_IP4,
	S_IP6,
	S_NTOP,  /* addresses */
	S_INT,   /* a number */
	S_JOIN,  /* two strings */
	S_ENUM,  /* the name of an enum's value */
	S_NAMED, /* what a number is called: the consumer knows */
	S_NET,   /* an address with only its first bits left */
	S_CHARS, /* what a subroutine writes */
};

/* A string before any code is made for it. */
struct sval {
	enum str_form form;
	const struct expr *e;
};

/* The source of typed string expression @e; for S_MEM and S_NULL, ->e is the conversion. */
struct sval sval_of(const struct expr *e);

/*
 * The holder of @e's characters, of form S_MEM: a string inside of an object is itself; another was
 * converted.
 */
const struct expr *str_memory(const struct expr *e);

/* The class of a typed string expression. */
struct strclass str_class(struct compiler *c, const struct expr *e);
struct strclass str_union(struct strclass a, struct strclass b);

/* Are two such strings equal exactly when their slots' bytes are? */
bool str_is_exact(struct strclass s);

/* Is it always one of the program's own texts, or NULL, and never observed data? */
bool str_is_own(struct strclass s);

/*
 * Is it layout: always one literal of blanks, line breaks, arrows and separators, or one of a
 * few literals of blanks and line breaks?  A choice of arrows is a value, as in "->" and "<-".
 */
bool str_is_layout(struct strclass s);

/* May it be a number's name, whose characters exist only when it is printed? */
bool str_is_named(struct strclass s);

/* Is it kept as characters? */
bool str_is_text(struct strclass s);

/* Is it NULL, said as such?  Also before it is made a string of. */
bool str_is_null(const struct expr *e);

/* The class of the same string written out as characters. */
struct strclass str_as_text(struct strclass s);

/*
 * The class of a variable: computed addresses (and few literals beside them) stay binary, the rest
 * is characters.
 */
struct strclass str_var_class(const struct var *v);

/*
 * Is @s what inet_ntoa(), inet_ntoa6() or inet_ntop() writes of an address?  Then its bytes and the
 * tag under which they print as @s.
 */
bool str_is_address(const char *s, enum dstr_tag *tag, uint8_t addr[16]);

/* @s as far as a string goes: strsize bytes, its NUL included.  In the arena if it is cut. */
const char *str_bounded(struct compiler *c, const char *s);

/* The bytes a text of type @t may have, its NUL included. */
uint32_t str_text_room(struct compiler *c, struct type *t);

/* Is the base of lltostr( )'s number other than 10, or computed? */
bool str_other_base(const struct expr *call);

#endif
