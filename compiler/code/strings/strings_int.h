/*
 * strings_int.h - functions shared by the files of this folder only.
 *
 * A function put_NAME() writes a string in a binary form into a slot (the memory for one string); a
 * function text_NAME() writes its characters.
 */
#ifndef COMPILER_CODE_STRINGS_STRINGS_INT_H
#define COMPILER_CODE_STRINGS_STRINGS_INT_H

#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/strclass.h"
#include "ir/program.h"

struct fire;

/* Size in bytes of a slot that holds a text for the routines of text.h. */
#define TEXT_SLOT(g) (PAYLOAD + text_capacity((g)->c->opt->strsize) + TEXT_SLACK)

/* ---- slot.c ---- */

/*
 * Returns the text of string @e if it is known at compile time, else NULL. A NULL string has the
 * text "".
 */
const char *str_known(struct fire *g, const struct expr *e);

/* Stores the tag of slot @d. */
void put_tag(struct fire *g, struct dest d, enum dstr_tag tag);

/* If @d.zero, writes zeros from byte @from of slot @d to its end. */
void zero_rest(struct fire *g, struct dest d, uint32_t from);

/*
 * put_chars() writes @s as characters, truncated to the size of the slot. put_literal() writes @s
 * in its cheapest form.
 */
void put_chars(struct fire *g, struct dest d, const char *s);
void put_literal(struct fire *g, struct dest d, const char *s);

/*
 * Write the address at @m into slot @d. The @tag of put_ip() is DSTR_IP4 or the tag of an IPv6
 * form. If slots are compared (@d.zero), equal texts must have equal bytes. So each address is then
 * written in one form only: mapped and compatible addresses as DSTR_IP4 by put_ip6(), and all other
 * addresses as DSTR_IP6 by put_ntop6().
 */
void put_ip(struct fire *g, struct dest d, enum dstr_tag tag, struct mem m);
void put_ip4(struct fire *g, struct mem m, struct dest d);
void put_ip6(struct fire *g, struct mem m, struct dest d);
void put_ntop6(struct fire *g, struct mem m, struct dest d);

/*
 * @e is a call inet_ntop(family, address). Writes the address into slot @d by @write4 or @write6,
 * as the family says at run time. Another family is a fault.
 */
void by_address_family(struct fire *g, const struct expr *e, struct dest d,
		       void (*write4)(struct fire *g, struct mem m, struct dest d),
		       void (*write6)(struct fire *g, struct mem m, struct dest d));

/*
 * Write the result of call @e into slot @d: of lltostr(), of __enum_string() (the name of an enum
 * value), or of __named() (a number whose name only user space knows).
 */
void put_lltostr(struct fire *g, const struct expr *e, struct dest d);
void put_enum(struct fire *g, const struct expr *e, struct dest d);
void put_named(struct fire *g, const struct expr *e, struct dest d);

/* ---- chars.c ---- */

/*
 * Copies the text at @src to @at, at most @room bytes. Returns a register with the length of the
 * copy.
 */
int text_copy(struct fire *g, int at, uint32_t room, int src);

/* Writes the string in slot @from, which has class @s, as characters into slot @d. */
void text_slot(struct fire *g, struct strclass s, struct dest from, struct dest d);

/* Writes string @s, whose form is no text, as characters into slot @d. */
void put_as_text(struct fire *g, struct sval s, struct dest d);

/* Records the error that a program cannot know the text of @e. */
void no_text_error(struct fire *g, const struct expr *e);

#endif
