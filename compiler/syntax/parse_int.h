/*
 * parse_int.h - what the parser's files share.
 *
 * A recursive descent parser.  The first error is recorded and turns the rest
 * of the text into "end of input", so every loop ends and nobody checks for
 * failure on the way out: functions return a dummy instead of NULL.
 */
#ifndef COMPILER_PARSE_INT_H
#define COMPILER_PARSE_INT_H

#include "base/arena.h"
#include "base/vec.h"
#include "compiler/syntax/lex.h"
#include "compiler/syntax/parse.h"

/* Parentheses, blocks, structs ... inside each other. */
#define NEST_MAX 256
/* Height of an expression's tree: every pass over it may recurse that deep. */
#define HEIGHT_MAX 1000
/* *, [] and () of one declarator. */
#define DERIV_MAX 64

typedef VEC(struct expr *) expr_vec;
typedef VEC(struct enumerator) enum_vec;

struct parser {
	struct arena *a;
	struct intern *names;
	struct scope *scope;
	const struct parse_opts *o;
	struct diag *d;
	struct lexer lx;
	struct token tok; /* the next one, lexed in ... */
	enum lex_mode mode;
	uint32_t last_end; /* where the token before it ended */
	uint32_t desc_off; /* where the last probe description began */
	bool failed;
	bool proto; /* parse_proto: "[, type]" are optional parameters */
	int depth;  /* against NEST_MAX */

	struct ast *ast; /* ends of its lists: */
	struct clause **clause_end;
	struct decl_var **var_end;
	struct decl_enum **enum_end;
	struct decl_inline **inl_end;
	struct translator **xl_end;
	struct provider_decl **prov_end;
	struct derivation **deriv_end;
	struct pragma **pragma_end;

	bool any;                       /* the text declares something */
	bool known_tags;                /* an unknown struct is an error, not a forward reference */
	VEC(struct type *) open;        /* structs and unions whose { } we are in */
	VEC(struct type *) fwd_typedef; /* typedefs of structs not declared yet */
	enum_vec enums;                 /* of the enum being declared */
	uint32_t budget;                /* of p_const */
};

/* @end points to the last pointer of a list. */
#define append(end, node) \
	do { \
		*(end) = (node); \
		(end) = &(node)->next; \
	} while (0)

/* ---- tokens.c ---- */

/* To the next token; p_next_in also sets the mode for it and those after it. */
void p_next(struct parser *p);
void p_next_in(struct parser *p, enum lex_mode mode);
/* Reads the current token again, in another mode. */
void p_relex(struct parser *p, enum lex_mode mode);
/* The token after the one that ends at @off. */
struct token p_peek_at(struct parser *p, uint32_t off);

/* Is the next token a @kind?  p_accept() takes it then. */
bool p_is(const struct parser *p, enum tok kind);
bool p_accept(struct parser *p, enum tok kind);
/* Takes a @kind, or it is a syntax error. */
bool p_expect(struct parser *p, enum tok kind);
/* As p_expect, and the next token is lexed in @mode. */
bool p_expect_in(struct parser *p, enum tok kind, enum lex_mode mode);

/* Where the next token is; or byte @off of the text. */
struct loc p_loc(const struct parser *p);
struct loc p_loc_at(const struct parser *p, uint32_t off);

/* Ends the parse; p_fail has recorded why. */
void p_stop(struct parser *p);
#define p_fail(p, tag, loc, ...) \
	do { \
		if (!(p)->failed) { \
			diag_error((p)->d, tag, loc, __VA_ARGS__); \
			p_stop(p); \
		} \
	} while (0)
/* "syntax error near" the current token, with a hint if there is an obvious one. */
void p_syntax(struct parser *p);
/* The same with a hint of the caller's; NULL: none. */
void p_syntax_hint(struct parser *p, const char *hint);

/* Around everything that may contain itself; false: too deep, an error was recorded. */
bool p_enter(struct parser *p);
void p_leave(struct parser *p);

/* An identifier (or "" after an error). */
const char *p_ident(struct parser *p);
/* A member name: some reserved words are allowed. */
const char *p_member_name(struct parser *p);

/* ---- parse_hint.c: texts in the arena ---- */

/* A suggestion for the syntax error at the current token; NULL: none. */
const char *p_hint(struct parser *p);
/* The same if the last description names a file, as in other tracers; else NULL. */
const char *p_hint_path(const struct parser *p);
/* "unknown type name NAME", and which type of this kernel is nearest to it. */
const char *p_unknown_type(struct parser *p, const char *name);
/* Behind the error that says so: only the nearest type, if there is one. */
void p_hint_type(struct parser *p, const char *name);

/* ---- control.c ---- */

/* Acts on the control line at the current token. */
void p_control(struct parser *p);

/* ---- parse_expr.c ---- */

/* An expression; p_args(): those up to @close, which is taken too, in the arena. */
struct expr *p_expr(struct parser *p);        /* with the comma operator */
struct expr *p_assign_expr(struct parser *p); /* without */
void p_args(struct parser *p, enum tok close, struct expr ***arg, uint32_t *narg);

/* ---- constexpr.c ---- */

/* The value of a constant expression; false: it is none. */
bool p_const(struct parser *p, const struct expr *e, int64_t *v);

/* ---- parse_type.c ---- */

enum storage {
	STORAGE_NONE,
	STORAGE_TYPEDEF,
	STORAGE_EXTERN,
	STORAGE_THIS,
	STORAGE_SELF,
	STORAGE_INLINE,
};

/* The attributes that change a layout: __attribute__((packed)). */
struct attrs {
	bool packed;
	uint32_t align; /* bytes; 0: not said */
	uint32_t size;  /* bytes that a mode gives an integer; 0: none does */
};

struct specs {
	enum storage storage;
	struct attrs attrs;
	struct type *type;
	bool userland;
	bool tagged; /* a struct, union or enum: needs no declarator ... */
	bool body;   /* ... and it came with its { } */
	bool member; /* in: of a member or parameter, which may be called "string" */
	bool param;  /* in: of a parameter */
	struct loc loc;
};

/* One declared name. */
struct declared {
	const char *name; /* NULL: none (abstract) */
	struct loc loc;
	struct type *type;
	struct type **key;     /* associative array */
	const char **key_name; /* of an inline's parameters; else NULL entries */
	uint32_t nkey;
	bool assoc;
	struct attrs attrs;
};

enum declarator_flags {
	DECLR_ABSTRACT = 1, /* the name may be missing */
	DECLR_KEYS = 2,     /* [types] makes an associative array */
	DECLR_FLEX = 4,     /* [] and [0] are fine: members, parameters, extern */
	DECLR_MEMBER = 8,   /* the name may be one of p_member_name's */
	DECLR_NONAME = 16,  /* there must be no name */
	DECLR_SYMBOL = 32,  /* the name may be a kernel symbol's: mod`name */
};

/* Does the reserved word start a type name? */
bool p_is_type_word(enum tok kind);
/* Is it a typedef's name? */
bool p_is_typedef(struct parser *p, const char *name);
/* Refuses a storage class where there can be none. */
void p_no_storage(struct parser *p, const struct specs *s);

/* At "(": is that a cast, or the type of sizeof? */
bool p_paren_type(struct parser *p, bool cast);

/*
 * The beginning of a declaration; then each of its declarators, with @flags for the allowed kinds.
 */
void p_specs(struct parser *p, struct specs *s);
void p_declarator(struct parser *p, const struct specs *s, unsigned flags, struct declared *out);
/* A type without a name: "struct sk_buff *". */
struct type *p_type_name(struct parser *p);
/* The same; a struct that nobody declared is a forward reference to it. */
struct type *p_open_type_name(struct parser *p);
/* One parameter: a type and perhaps a name; arrays and functions become pointers. */
void p_param(struct parser *p, struct declared *out);
struct type *p_pointers(struct parser *p, struct type *t, bool userland);

/* ---- parse_find.c ---- */

/* The type as D text, for messages. */
const char *p_type_text(struct parser *p, struct type *t);

/*
 * The type of that name: of module @mod of the kernel ("", NULL: none is named), in scope, or of
 * any module; NULL: none.
 */
struct type *p_find_type(struct parser *p, const char *mod, enum tag_kind kind, const char *name);

/* ---- parse_attr.c ---- */

/*
 * attributes = ("__attribute__" "(" "(" attribute ("," attribute)* ")" ")")*; true: there was one
 */
bool p_attributes(struct parser *p, struct attrs *at);
/* @t, with @size bytes if it is an integer and @size is not 0. */
struct type *p_mode_type(struct type *t, uint32_t size);

/*
 * "static inline", "extern inline", in any order: a function of a C header?  p_skip_function()
 * skips its text.
 */
bool p_at_function(struct parser *p);
void p_skip_function(struct parser *p);

/* ---- parse_sou.c ---- */

/* @mod: the scope that stood before the keyword; NULL: none did. */
/* struct-or-union = ("struct" | "union") [module "`"] [tag] ["{" member* "}"] */
struct type *p_sou(struct parser *p, const char *mod, bool *body);
/* enum = "enum" [tag] ["{" enumerator ("," enumerator)* [","] "}"] */
struct type *p_enum(struct parser *p, const char *mod, bool *body);

/* ---- parse_decl.c ---- */

/* declaration = inline | specs [declarators] ";" */
void p_declaration(struct parser *p);
/* At the end of the text: gives typedefs of structs declared later their size. */
void p_settle_typedefs(struct parser *p);

/* ---- parse_lib.c ---- */

/* At the word "translator", or "provider": all of it. */
void p_translator(struct parser *p);
void p_provider(struct parser *p);
/* Is the current word, where probe descriptions are lexed, that one? */
bool p_at_word(const struct parser *p, const char *word);
/* The rest of a derivation whose probe was read. */
void p_derivation(struct parser *p, const struct probe_desc *probe);
/* Its groups, at their first word. */
void p_groups(struct parser *p, struct derivation *d);

/* ---- parse_desc.c ---- */

/* Takes the word at the current token; the next token is lexed in LEX_PROBE. */
void p_desc(struct parser *p, struct probe_desc *out);

#endif
