/*
 * ast.h - a D program as the parser returns it.
 *
 * The parser has resolved types to struct type, because it must know type names. Identifiers are
 * not resolved yet: typing fills in the members under "set by typing". A clause is compiled once
 * for each of its probe descriptions, on a copy of its tree (expr_clone()).
 */
#ifndef COMPILER_SYNTAX_AST_H
#define COMPILER_SYNTAX_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "ir/types/type.h"

struct action_def;
struct agg;
struct arena;
struct builtin_var;
struct format;
struct shape;
struct strbuf;
struct strclass;
struct subr;
struct var;

/* ------------------------------------------------------------- expressions */

enum expr_kind {
	E_INT,      /* ival; type from the suffix and size (D rules) */
	E_STR,      /* str, len: a string literal */
	E_IDENT,    /* name, and for a scoped symbol mod`name: mod ("" for `name) */
	E_THIS,     /* this->name */
	E_SELF,     /* self->name */
	E_AGG,      /* @name[args]; name "_" for @ alone */
	E_UNARY,    /* op a: op is an enum unary_op */
	E_BINARY,   /* a op b */
	E_ASSIGN,   /* a = b, or a op= b (op B_NONE for plain =) */
	E_COND,     /* a ? b : c */
	E_CALL,     /* name(args) */
	E_INDEX,    /* a[args]: array, pointer, or associative array name[...] */
	E_MEMBER,   /* a.name, or a->name when arrow */
	E_CAST,     /* (ctype) a; typing adds more: see enum conversion */
	E_SIZEOF,   /* sizeof (ctype) if ctype, else of a */
	E_OFFSETOF, /* offsetof(ctype, name) */
	E_STRINGOF, /* stringof(a) */
	E_XLATE,    /* xlate <ctype> (a) */
	E_COMMA,    /* a, b */
};

enum unary_op {
	U_NEG,
	U_PLUS,
	U_NOT,
	U_BITNOT,
	U_DEREF,
	U_ADDR,
	U_PREINC,
	U_PREDEC,
	U_POSTINC,
	U_POSTDEC
};

/* From weak to strong binding; see the table in parse_expr.c. */
enum binary_op {
	B_NONE,
	B_LOR,
	B_LXOR,
	B_LAND,
	B_OR,
	B_XOR,
	B_AND,
	B_EQ,
	B_NE,
	B_LT,
	B_LE,
	B_GT,
	B_GE,
	B_SHL,
	B_SHR,
	B_ADD,
	B_SUB,
	B_MUL,
	B_DIV,
	B_MOD,
};

/*
 * The kinds of conversions. Typing adds one wherever the language converts a value, so that both
 * operands of an operator have one type. Only a cast in the text has a ctype.
 */
enum conversion {
	CONV_KEEP, /* no effect: numbers have 64 bits, the type says how they compare */
	CONV_CUT,  /* truncates a number to the cast's type, and extends it by that type's sign */
	CONV_ADDRESS, /* an array to the address of its first element */
	/* to a string: characters in an array, or at the address in a pointer or number */
	CONV_TEXT,
	CONV_NULL,  /* 0 to the string NULL, or to a missing entry */
	CONV_CHARS, /* a string to the address of its characters, in the clause's memory */
	CONV_DROP,  /* to void */
};

/* Meanings of a name. */
enum sym_kind {
	SYM_NONE,
	SYM_VAR,
	SYM_BUILTIN,  /* argN: ival is N */
	SYM_PROBEARG, /* args[ival] of a stable probe */
	SYM_NATIVE,   /* native argument ival of a stable probe */
	SYM_HOSTARG,  /* argument ival of the hook */
	SYM_PARAM,    /* parameter of a definition that is only checked */
	SYM_BOUND,    /* parameter that is bound to a typed expression */
	SYM_SUBR,
	SYM_ACTION,
	SYM_AGG,
	SYM_VALUE, /* in code generation: the value in register ival */
};

struct expr {
	enum expr_kind kind;
	uint16_t height; /* height of the tree; limited, because passes are recursive */
	uint8_t op;      /* enum unary_op or binary_op; of a typed E_CAST, enum conversion */
	bool lib;        /* the expression is in a library text */
	/* position of the operator, or of the first token; in a definition's copy: of its use */
	struct loc loc;
	struct type *type; /* E_INT: set by the parser; else by typing */

	uint64_t ival;      /* E_INT */
	const char *name;   /* interned */
	const char *mod;    /* E_IDENT: module of a scoped symbol, or NULL */
	const char *str;    /* E_STR */
	struct type *ctype; /* E_ASSIGN with an operator: type of the calculation */

	struct expr *a, *b, *c;
	struct expr **arg; /* E_CALL, E_INDEX, E_AGG keys */
	uint32_t narg;
	uint32_t len; /* E_STR */
	bool arrow;   /* E_MEMBER */
	bool paren;   /* was written in parentheses */

	/* ---- set by typing ---- */
	bool typed;      /* typing has handled this node */
	bool is_const;   /* @value is known */
	uint8_t symkind; /* enum sym_kind */
	int64_t value;
	/* for a pointer that was written as an address (&x): the object x; else NULL */
	const struct expr *object;
	/* Meaning of the name; symkind selects the member. */
	union {
		struct var *var;                   /* SYM_VAR */
		struct agg *agg;                   /* SYM_AGG */
		const struct expr *bound;          /* SYM_BOUND: typed */
		const struct builtin_var *builtin; /* SYM_BUILTIN */
		const struct subr *subr;           /* SYM_SUBR */
		const struct action_def *action;   /* SYM_ACTION */
		const void *any;                   /* to compare two references */
	} ref;
	/* for a call of an action: what the action's check() returned */
	union {
		const struct shape *shape; /* print() */
		const struct format *fmt;  /* printf(), printa() and others */
		const void *any;
	} extra;
	const struct expr
		*written; /* the expression as written, if typing replaced it; else NULL */
	/* class of a string, cached once all classes are final; NULL: not computed yet */
	struct strclass *cls;
};

/* -------------------------------------------------------------- statements */

enum stmt_kind {
	S_EXPR, /* expr; an action or aggregation is an expression too */
	S_IF,   /* if (expr) body [else other] */
};

struct stmt {
	enum stmt_kind kind;
	struct loc loc;
	struct expr *expr;
	struct stmt *body, *other; /* S_IF: lists */
	struct stmt *next;
};

/* ------------------------------------------------------- probe descriptions */

/*
 * prov:mod:func:name as written; missing and empty fields are "". An integer description is a probe
 * ID: id != 0, and all fields are "".
 */
struct probe_desc {
	struct loc loc;
	const char *text;     /* as written */
	const char *field[4]; /* PD_PROV ... */
	uint32_t id;
	/* the description names another host: it is checked, but enables nothing */
	bool elsewhere;
};

enum { PD_PROV, PD_MOD, PD_FUNC, PD_NAME };

struct clause {
	struct probe_desc *desc;
	uint32_t ndesc;
	struct expr *pred; /* NULL: none */
	struct loc pred_loc;
	struct stmt *body; /* NULL: empty */
	bool has_body;     /* false: bare description (command line only) */
	bool alternative;  /* hidden clause: used only if the previous one does not fit */
	struct loc loc, body_loc;
	struct clause *next;
};

/* ------------------------------------------------------------ declarations */

/* int x;  int a[string, int];  self int y;  this uint64_t z; */
enum decl_scope { DECL_GLOBAL, DECL_THIS, DECL_SELF };

struct decl_var {
	enum decl_scope scope;
	const char *name;
	struct type *type;
	struct type **key; /* associative array: key types */
	uint32_t nkey;
	bool is_extern;
	struct loc loc;
	struct decl_var *next;
};

/*
 * inline int x = expr;                    nparam 0
 * inline string name[int key] = expr;     one or more parameters
 */
struct decl_inline {
	const char *name;
	struct type *type;
	const char **param;
	struct type **param_type;
	uint32_t nparam;
	struct expr *expr;
	struct loc loc;
	bool lib;       /* from a library text */
	bool used;      /* a text of the user uses it */
	bool uses_args; /* the value depends on the probe of the clause that uses it */
	struct decl_inline *next;
};

/* An enum with its { }. */
struct decl_enum {
	struct type *type;
	struct loc loc;
	struct decl_enum *next;
};

/*
 * translator OUT < IN a, IN2 b > { member = expr; ... };
 * Several inputs are an extension: xlate and type matching use the first one.
 */
struct xl_member {
	const char *name;
	struct expr *expr;
	struct loc loc;
};

struct translator {
	struct type *out;
	struct type **in_type;
	const char **in_name;
	uint32_t nin;
	struct xl_member *member;
	uint32_t nmember;
	struct loc loc;
	struct translator *next;
};

/*
 * provider NAME { probe a__b(int x, struct foo *y) : (out *x, out2 *(x, y)); ... };
 *
 * A probe lists its native parameters, then its translated arguments. Each argument names the
 * native parameters for its translator; without names it gets the parameter at its own position.
 * Without a list of arguments, the native parameters are the arguments.
 */
struct probe_arg {
	struct type *type; /* translated type; void or void * without @in: always NULL */
	uint32_t *in;      /* indices of native parameters */
	uint32_t nin;
};

struct probe_decl {
	const char *name; /* "connect-refused": each __ is a - */
	struct type **param;
	const char **param_name; /* entries may be NULL */
	uint32_t nparam;
	struct probe_arg *arg;
	uint32_t narg;
	bool has_args; /* a ": ( ... )" list was given */
	struct loc loc;
	struct probe_decl *next;
};

struct provider_decl {
	const char *name;
	struct probe_decl *probe;
	struct loc loc;
	struct provider_decl *next;
};

/*
 * A derivation (library files only):
 *
 *	ip:::receive
 *		on rawtp:::netif_receive_skb / guard / (native args)
 *		on cgroup_skb:::egress (native args)
 *	or
 *		on fbt::ip_rcv:entry as (thread) (native args)
 *	;
 *
 * Hooks of one group all fire the probe; groups are alternatives, best first.
 */
struct hook_on {
	struct probe_desc host;
	struct expr *guard; /* NULL: none */
	struct expr *as;    /* the thread that it fires for; NULL: the current one */
	struct expr **arg;  /* native arguments */
	uint32_t narg;
	struct loc loc;
	struct hook_on *next; /* next hook of the group */
};

struct derivation {
	struct probe_desc probe;
	struct hook_on **group;
	uint32_t ngroup;
	struct loc loc;
	struct derivation *next;
};

/* #pragma D option x=y, depends_on, attributes ..., in the order of the text. */
struct pragma {
	const char *name; /* "option", "depends_on", "attributes", "binding" */
	/*
	 * option: name, value (NULL: none); depends_on: kind, thing; attributes: attributes,
	 * identifier, or attributes, "provider", name and part; binding: version, identifier
	 */
	const char *arg[4];
	struct loc loc;
	struct pragma *next;
};

/* One parsed text. Lists are in the order of the text. */
struct ast {
	struct clause *clause;
	struct decl_var *var;
	struct decl_enum *enums;
	struct decl_inline *inl;
	struct translator *xl;
	struct provider_decl *prov;
	struct derivation *deriv;
	struct pragma *pragma;
};

/*
 * Computes an operator on constants, signed if @sgn. Returns false if there is no result: a
 * division by 0, an assignment.
 */
bool const_unary(enum unary_op op, int64_t x, int64_t *v);
bool const_binary(enum binary_op op, bool sgn, int64_t x, int64_t y, int64_t *v);

/* Returns @v truncated to integer type @t. */
int64_t const_cut(struct type *t, int64_t v);

/* Returns a deep copy of an expression or statement list; types and names are shared. */
struct expr *expr_clone(struct arena *a, const struct expr *e);
/* As expr_clone(), with all positions set to @at. */
struct expr *expr_clone_at(struct arena *a, const struct expr *e, struct loc at);
struct stmt *stmt_clone(struct arena *a, const struct stmt *s);

/*
 * Calls @fn for each statement of the list and of its branches, in the order of the text. An if,
 * whose expr is the condition, comes before its branches.
 */
void stmt_each(struct stmt *s, void (*fn)(void *ctx, struct stmt *s), void *ctx);

/* Appends the tree as indented text, one node a line, for -x dump=ast and the golden tests. */
void ast_dump(const struct ast *t, struct strbuf *out);
void expr_dump(const struct expr *e, int indent, struct strbuf *out);

/* Texts that typing adds to a node's line in a dump: the node's meaning. */
struct dump_more {
	const struct expr *(*stands_for)(const struct expr *e);            /* may be NULL */
	void (*note)(void *ctx, const struct expr *e, struct strbuf *out); /* may be NULL */
	void *ctx;
};

/* Appends a clause's predicate (NULL: none) and statements, in the form of ast_dump(). */
void clause_dump(const struct expr *pred, const struct stmt *body, const struct dump_more *more,
		 struct strbuf *out);

/* Appends an expression as D text to @out, for messages ("operands have incompatible types"). */
void expr_text(const struct expr *e, struct strbuf *out);

#endif
