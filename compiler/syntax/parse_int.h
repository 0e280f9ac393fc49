/*
 * parse_int.h - declarations that the parser's files share.
 *
 * The parser is a recursive descent parser. When it records the first error, it treats the rest of
 * the text as "end of input". So every loop ends, and few callers test for errors: functions for
 * types and expressions return a dummy instead of NULL. A comment such as "a = b | c" above a
 * function is the grammar rule that the function parses.
 */
#ifndef COMPILER_SYNTAX_PARSE_INT_H
#define COMPILER_SYNTAX_PARSE_INT_H

#include "base/arena.h"
#include "base/vec.h"
#include "compiler/syntax/lex.h"
#include "compiler/syntax/parse.h"

/* Maximum number of nested parentheses, blocks, structs and such. */
#define NEST_MAX 256
/* Maximum height of an expression's tree, because functions on trees are recursive. */
#define HEIGHT_MAX 1000
/* Maximum number of *, [] and () in one declarator. */
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
	struct token tok; /* current token, lexed in @mode */
	enum lex_mode mode;
	uint32_t last_end; /* end of the previous token */
	uint32_t desc_off; /* offset of the last probe description */
	bool failed;
	bool proto; /* set by parse_proto(): "[, type]" are optional parameters */
	int depth;  /* number of nested constructs, which is limited to NEST_MAX */

	struct ast *ast; /* the resulting tree; the next members are the ends of its lists */
	struct clause **clause_end;
	struct decl_var **var_end;
	struct decl_enum **enum_end;
	struct decl_inline **inl_end;
	struct translator **xl_end;
	struct provider_decl **prov_end;
	struct derivation **deriv_end;
	struct pragma **pragma_end;

	bool any;                       /* the text has at least one declaration or clause */
	bool known_tags;                /* an unknown struct is an error, not a forward reference */
	VEC(struct type *) open;        /* structs and unions that are being declared */
	VEC(struct type *) fwd_typedef; /* typedefs of structs without a size so far */
	enum_vec enums;                 /* enumerators of the enum that is being declared */
	uint32_t budget;                /* steps left in p_const() */
};

/* Appends @node to a list. @end points to the last pointer of the list, which is NULL. */
#define append(end, node) \
	do { \
		*(end) = (node); \
		(end) = &(node)->next; \
	} while (0)

/* ---- tokens.c ---- */

/* Read the next token. p_next_in() also sets the mode, for that token and later ones. */
void p_next(struct parser *p);
void p_next_in(struct parser *p, enum lex_mode mode);
/* Reads the current token again, in another mode. */
void p_relex(struct parser *p, enum lex_mode mode);
/* Returns the token at or after @off. */
struct token p_peek_at(struct parser *p, uint32_t off);

/*
 * Return whether the current token is of kind @kind. If so, p_accept() also moves to the next
 * token.
 */
bool p_is(const struct parser *p, enum tok kind);
bool p_accept(struct parser *p, enum tok kind);
/*
 * Moves to the next token if the current one is of kind @kind; else records a syntax error. Returns
 * whether it was of that kind.
 */
bool p_expect(struct parser *p, enum tok kind);
/* Like p_expect(), but reads the next token in mode @mode. */
bool p_expect_in(struct parser *p, enum tok kind, enum lex_mode mode);

/*
 * p_loc() returns the position of the current token, and p_loc_at() that of byte @off of the text.
 */
struct loc p_loc(const struct parser *p);
struct loc p_loc_at(const struct parser *p, uint32_t off);

/* Ends the parse. The caller, such as p_fail(), has recorded the error. */
void p_stop(struct parser *p);
#define p_fail(p, tag, loc, ...) \
	do { \
		if (!(p)->failed) { \
			diag_error((p)->d, tag, loc, __VA_ARGS__); \
			p_stop(p); \
		} \
	} while (0)
/* Records "syntax error near" the current token, with a suggestion if there is one. */
void p_syntax(struct parser *p);
/* Like p_syntax(), with the caller's suggestion, which may be NULL. */
void p_syntax_hint(struct parser *p, const char *hint);

/*
 * The parser calls these before and after everything that may nest. If the nesting is too deep,
 * p_enter() records the error and returns false.
 */
bool p_enter(struct parser *p);
void p_leave(struct parser *p);

/*
 * Returns the name of the current token and moves to the next one. If the token is no identifier,
 * records a syntax error and returns "".
 */
const char *p_ident(struct parser *p);
/* Like p_ident(), but also accepts the reserved words that may be names of members. */
const char *p_member_name(struct parser *p);

/* ---- parse_hint.c: texts in the arena ---- */

/* Returns a suggestion for the syntax error at the current token, or NULL. */
const char *p_hint(struct parser *p);

/* Suggests a keyword for a misspelt one in front of the current token. Returns NULL if there is
 * none. */
const char *p_hint_keyword(const struct parser *p);
/*
 * Returns a suggestion if the last probe description contains the path of a file, as in other
 * tracers. Else returns NULL.
 */
const char *p_hint_path(const struct parser *p);
/* Returns "unknown type name NAME", and adds the nearest type of this kernel if there is one. */
const char *p_unknown_type(struct parser *p, const char *name);
/* Adds a suggestion to the recorded error: the nearest type of this kernel, if there is one. */
void p_hint_type(struct parser *p, const char *name);

/* ---- control.c ---- */

/* Handles the control line at the current token. */
void p_control(struct parser *p);

/* ---- parse_expr.c ---- */

/*
 * Parse an expression. p_args() parses a list of expressions and the token @close behind it, and
 * sets @arg to the list, which is in the arena.
 */
struct expr *p_expr(struct parser *p);        /* with the comma operator */
struct expr *p_assign_expr(struct parser *p); /* without the comma operator */
void p_args(struct parser *p, enum tok close, struct expr ***arg, uint32_t *narg);

/* ---- constexpr.c ---- */

/* Sets @v to the value of constant expression @e. Returns false if @e is not constant. */
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

/* Attributes that change a layout, such as __attribute__((packed)). */
struct attrs {
	bool packed;
	uint32_t align; /* alignment in bytes, or 0 if there is none */
	uint32_t size;  /* bytes of an integer, from the attribute "mode"; 0 if there is none */
};

struct specs {
	enum storage storage;
	struct attrs attrs;
	struct type *type;
	bool userland;
	bool tagged; /* the type is a struct, union or enum, which needs no declarator */
	bool body;   /* the struct, union or enum has its { } here */
	/* set by the caller for a member or parameter, which may have the name "string" */
	bool member;
	bool param; /* set by the caller for a parameter */
	struct loc loc;
};

/* A declared name. */
struct declared {
	const char *name; /* NULL if the declaration has no name */
	struct loc loc;
	struct type *type;
	/* types of the keys of an associative array, or of an inline's parameters */
	struct type **key;
	const char **key_name; /* names of an inline's parameters; entries may be NULL */
	uint32_t nkey;
	bool assoc;
	struct attrs attrs;
};

enum declarator_flags {
	DECLR_ABSTRACT = 1, /* the name may be missing */
	DECLR_KEYS = 2,     /* [types] is allowed, and makes the name an associative array */
	/* [] and [0] are allowed, as in members, parameters and extern declarations */
	DECLR_FLEX = 4,
	DECLR_MEMBER = 8,  /* the name may be a keyword that p_member_name() accepts */
	DECLR_NONAME = 16, /* there must be no name */
	DECLR_SYMBOL = 32, /* the name may be a kernel symbol: mod`name */
};

/* Returns whether the reserved word starts a type name. */
bool p_is_type_word(enum tok kind);
/* Returns whether @name is the name of a typedef. */
bool p_is_typedef(struct parser *p, const char *name);
/* Records an error if @s has a storage class. */
void p_no_storage(struct parser *p, const struct specs *s);

/*
 * Returns whether the "(" at the current token encloses a type: the type of a cast if @cast is set,
 * else that of a sizeof.
 */
bool p_paren_type(struct parser *p, bool cast);

/*
 * p_specs() parses the beginning of a declaration. p_declarator() parses one of its declarators;
 * @flags says which kinds are allowed.
 */
void p_specs(struct parser *p, struct specs *s);
void p_declarator(struct parser *p, const struct specs *s, unsigned flags, struct declared *out);
/* Parses a type without a name, such as "struct sk_buff *". */
struct type *p_type_name(struct parser *p);
/*
 * Like p_type_name(), but an undeclared struct is a forward reference in programs too, not only in
 * library texts.
 */
struct type *p_open_type_name(struct parser *p);
/* Parses a parameter: a type, perhaps with a name. Arrays and functions become pointers. */
void p_param(struct parser *p, struct declared *out);
struct type *p_pointers(struct parser *p, struct type *t, bool userland);

/* ---- parse_find.c ---- */

/* Returns the type as D text, for messages. */
const char *p_type_text(struct parser *p, struct type *t);

/*
 * Returns type @name of module @mod of the kernel. Without a module (NULL or ""), searches the
 * scope and, for a program, all modules. Returns NULL if there is no such type.
 */
struct type *p_find_type(struct parser *p, const char *mod, enum tag_kind kind, const char *name);

/* ---- parse_attr.c ---- */

/*
 * attributes = ("__attribute__" "(" "(" attribute ("," attribute)* ")" ")")*
 * Returns whether there was an attribute.
 */
bool p_attributes(struct parser *p, struct attrs *at);
/*
 * Returns the integer type of @size bytes with the sign of @t. Returns @t if @t is no integer or
 * @size is 0.
 */
struct type *p_mode_type(struct type *t, uint32_t size);

/*
 * Returns whether a function of a C header begins: "static inline", "extern inline", in any order.
 * p_skip_function() skips the text of the function.
 */
bool p_at_function(struct parser *p);
void p_skip_function(struct parser *p);

/* ---- parse_struct.c ---- */

/*
 * @mod is the module that was written before the keyword, or NULL. p_sou() and p_enum() set @body
 * if a { } follows.
 */
/* struct-or-union = ("struct" | "union") [attributes] [[module] "`"] [tag] [body] */
struct type *p_sou(struct parser *p, const char *mod, bool *body);
/* enum = "enum" [[module] "`"] [tag] ["{" enumerator ("," enumerator)* [","] "}"] */
struct type *p_enum(struct parser *p, const char *mod, bool *body);

/* ---- parse_decl.c ---- */

/* declaration = inline | specs [declarators] ";" */
void p_declaration(struct parser *p);
/*
 * Sets the sizes of the typedefs whose structs were declared after them. Called at the end of the
 * text.
 */
void p_settle_typedefs(struct parser *p);

/* ---- parse_lib.c ---- */

/* Parse a translator or provider. The current token is the word "translator" or "provider". */
void p_translator(struct parser *p);
void p_provider(struct parser *p);
/* Returns whether the current token is a TOK_WORD with the text @word. */
bool p_at_word(const struct parser *p, const char *word);
/* Parses the rest of a derivation (what hooks fire @probe), after its description @probe. */
void p_derivation(struct parser *p, const struct probe_desc *probe);

/* ---- parse_desc.c ---- */

/* Parses the current TOK_WORD as a probe description. Reads the next token in mode LEX_PROBE. */
void p_desc(struct parser *p, struct probe_desc *out);

#endif
