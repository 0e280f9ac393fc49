/*
 * ast.h - a D program as the parser returns it.
 *
 * The parser has resolved types to struct type, because it must know type names. Identifiers are
 * not resolved yet: the type checker (compiler/meaning/typing) fills in the members under "set by
 * typing". A clause is compiled once for each of its probe descriptions, on a copy of its tree
 * (expr_clone()).
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
	E_INT,      /* an integer constant: ival, with the type that D's rules give it */
	E_STR,      /* a string constant of len bytes: str */
	E_IDENT,    /* a name; in a kernel symbol mod`name, mod is set too ("" for `name) */
	E_THIS,     /* this->name */
	E_SELF,     /* self->name */
	E_AGG,      /* @name[args]; name is "_" for @ alone */
	E_UNARY,    /* op a, or a op; op is an enum unary_op */
	E_BINARY,   /* a op b */
	E_ASSIGN,   /* a = b, or a op= b; op is B_NONE for plain = */
	E_COND,     /* a ? b : c */
	E_CALL,     /* name(args) */
	E_INDEX,    /* a[args]: array, pointer, or associative array name[...] */
	E_MEMBER,   /* a.name, or a->name if arrow is set */
	E_CAST,     /* (ctype) a; the type checker adds more casts: see enum conversion */
	E_SIZEOF,   /* sizeof (ctype) if ctype is set, else sizeof a */
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

/*
 * Binary operators, from the weakest to the strongest binding. A table in parse_expr.c has their
 * precedences.
 */
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
 * The kinds of conversions. The type checker adds a cast wherever D converts a value. A cast has a
 * ctype in two cases: the program contains the cast, or the cast converts to the declared type of a
 * definition or parameter.
 */
enum conversion {
	CONV_KEEP, /* changes nothing: numbers have 64 bits, and their type says how they compare */
	/* truncates a number to the size of the cast's type, then extends it by that type's sign */
	CONV_CUT,
	CONV_ADDRESS, /* converts an array to the address of its first element */
	/*
	 * converts to a string: the characters are in an array, or at the address in a pointer or
	 * number
	 */
	CONV_TEXT,
	/*
	 * converts an array of characters to a string that keeps all bytes of the array: a value
	 * that is printed, or a key
	 */
	CONV_ARRAY,
	CONV_NULL,  /* converts 0 to the string NULL, or to a value that deletes an entry */
	CONV_CHARS, /* converts a string to the address of its characters, in the clause's memory */
	CONV_DROP,  /* converts a value to void */
};

/* The possible meanings of a name in an expression. */
enum sym_kind {
	SYM_NONE,
	SYM_VAR,
	SYM_BUILTIN,  /* a built-in variable; for argN, ival is N */
	SYM_PROBEARG, /* args[ival] of a stable probe, which is one that is declared in D */
	SYM_NATIVE,   /* native argument (argument before translation) ival of a stable probe */
	SYM_HOSTARG,  /* argument ival of the kernel hook that fires the probe */
	/* parameter in a definition that is checked without a use; also a value of unknown type */
	SYM_PARAM,
	/* parameter of an inline or translator that stands for the expression ref.bound */
	SYM_BOUND,
	SYM_SUBR,
	SYM_ACTION,
	SYM_AGG,
	SYM_VALUE, /* set in code generation only: the value in register ival */
};

struct expr {
	enum expr_kind kind;
	/* height of the tree, which is limited because functions on trees are recursive */
	uint16_t height;
	/* an enum unary_op or binary_op; in a typed E_CAST, an enum conversion */
	uint8_t op;
	bool lib; /* the expression is in a library text */
	/*
	 * Position of the operator or of the first token. If the expression is copied from a
	 * library definition into a program: the position where the program uses the definition.
	 */
	struct loc loc;
	struct type *type; /* set by the parser in an E_INT, else by the type checker */

	uint64_t ival;    /* the number of an E_INT; for other kinds see enum sym_kind */
	const char *name; /* the name, interned */
	const char *mod;  /* E_IDENT: the module of a kernel symbol mod`name, or NULL */
	const char *str;  /* E_STR: the characters */
	/* see enum expr_kind; in an E_ASSIGN with an operator, the type of the calculation */
	struct type *ctype;

	struct expr *a, *b, *c;
	struct expr **arg; /* arguments of E_CALL, indices of E_INDEX, keys of E_AGG */
	uint32_t narg;
	uint32_t len; /* E_STR: number of bytes in str */
	bool arrow;   /* E_MEMBER: "->" was written, not "." */
	bool paren;   /* the expression was written in parentheses */

	/* ---- set by typing ---- */
	bool typed;      /* the type checker has handled this node */
	bool is_const;   /* the value is constant and known: @value */
	uint8_t symkind; /* an enum sym_kind */
	int64_t value;
	/* the object x if this pointer was written as its address (&x), else NULL */
	const struct expr *object;
	/* Meaning of the name; symkind selects the member. */
	union {
		struct var *var;                   /* SYM_VAR */
		struct agg *agg;                   /* SYM_AGG */
		const struct expr *bound;          /* SYM_BOUND: an expression with its types */
		const struct builtin_var *builtin; /* SYM_BUILTIN */
		const struct subr *subr;           /* SYM_SUBR */
		const struct action_def *action;   /* SYM_ACTION */
		const void *any;                   /* for comparing two references of any kind */
	} ref;
	/*
	 * For a call of an action, what the action's check() has found out for its emit(), such as
	 * the parsed format. symkind is SYM_ACTION.
	 */
	union {
		const struct shape *shape; /* print() */
		const struct format *fmt;  /* printf(), printa() and others */
		const void *any;
	} extra;
	/* the expression as written, if the type checker replaced it; else NULL */
	const struct expr *written;
	/*
	 * The class of this string (what kind of text it may be), cached when all classes are
	 * final. NULL if it was not computed yet.
	 */
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
	struct stmt *body, *other; /* S_IF: lists of the statements in the two branches */
	struct stmt *next;
};

/* ------------------------------------------------------- probe descriptions */

/*
 * A probe description prov:mod:func:name, as written. Missing and empty fields are "". A
 * description that is an integer is a probe ID: @id is not 0, and all fields are "".
 */
struct probe_desc {
	struct loc loc;
	const char *text;     /* the whole description as written */
	const char *field[4]; /* indexed by PD_PROV ... PD_NAME */
	uint32_t id;
	/* the description names another host: it is checked, but enables nothing */
	bool elsewhere;
};

enum { PD_PROV, PD_MOD, PD_FUNC, PD_NAME };

struct clause {
	struct probe_desc *desc;
	uint32_t ndesc;
	struct expr *pred; /* NULL if the clause has no predicate */
	struct loc pred_loc;
	struct stmt *body; /* NULL if the clause has no statements */
	bool has_body;     /* false for a description alone, which only the command line may have */
	/*
	 * set for a clause of the library that is used only if the kernel cannot run the previous
	 * one
	 */
	bool alternative;
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
	struct type **key; /* types of the keys of an associative array */
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
	bool lib;       /* the inline is in a library text */
	bool used;      /* the user's program uses the inline; only set without parameters */
	bool uses_args; /* the value depends on the probe of the clause where the inline is used */
	struct decl_inline *next;
};

/* A declaration of an enum with its enumerators. */
struct decl_enum {
	struct type *type;
	struct loc loc;
	struct decl_enum *next;
};

/*
 * translator OUT < IN a, IN2 b > { member = expr; ... };
 *
 * Translators of other DTraces have one input. If a translator has several, xlate and the matching
 * of types use the first one.
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
 * native parameters that its translator gets; an argument without names gets the parameter at its
 * own position. If there is no list of arguments, the native parameters are the arguments.
 */
struct probe_arg {
	/*
	 * Translated type. An argument of type void or void * with an empty list @in is always
	 * NULL.
	 */
	struct type *type;
	uint32_t *in; /* indices of native parameters */
	uint32_t nin;
};

struct probe_decl {
	const char *name; /* name with "-" in place of each "__", such as "connect-refused" */
	struct type **param;
	const char **param_name; /* entries may be NULL */
	uint32_t nparam;
	struct probe_arg *arg;
	uint32_t narg;
	bool has_args; /* the declaration has a list ": ( ... )" */
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
 * A derivation tells which kernel hooks fire a probe. Only library files may have derivations:
 *
 *	ip:::receive
 *		on rawtp:::netif_receive_skb / guard / (native args)
 *		on cgroup_skb:::egress (native args)
 *	or
 *		on fbt::ip_rcv:entry as (thread) (native args)
 *	;
 *
 * Each hook of a group fires the probe if its guard is true. The groups are alternatives; the best
 * group comes first.
 */
struct hook_on {
	struct probe_desc host;
	struct expr *guard; /* condition under which the hook fires the probe, or NULL */
	/* the thread that the probe fires for; NULL stands for the current thread */
	struct expr *as;
	struct expr **arg; /* native arguments */
	uint32_t narg;
	/*
	 * The condition of the filters, if the probe derives from a probe of packets or
	 * connections, else NULL.
	 */
	struct expr *filter;
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

/* A line such as "#pragma D option x=y". */
struct pragma {
	const char *name; /* "option", "depends_on", "attributes", "binding" */
	/*
	 * The operands of the pragma. option: a name, and its value or NULL. depends_on: a kind and
	 * a name. attributes: the attributes and an identifier, or the attributes, "provider", the
	 * provider's name and a part of the provider. binding: a version and an identifier.
	 */
	const char *arg[4];
	struct loc loc;
	struct pragma *next;
};

/* The tree of a parsed D text. Each list is in the order of the text. */
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
 * Compute an operator on constants and set @v to the result. If @sgn is set, const_binary() treats
 * the numbers as signed. Return false if there is no result, as for a division by 0 or an
 * assignment.
 */
bool const_unary(enum unary_op op, int64_t x, int64_t *v);
bool const_binary(enum binary_op op, bool sgn, int64_t x, int64_t y, int64_t *v);

/*
 * Returns @v truncated to the size of integer type @t, then extended to 64 bits by the sign of @t.
 */
int64_t const_cut(struct type *t, int64_t v);

/* Returns a deep copy of an expression or statement list; types and names are shared. */
struct expr *expr_clone(struct arena *a, const struct expr *e);
/* Like expr_clone(), but sets all positions in the copy to @at. */
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

/*
 * Functions of the type checker that extend a dump. stands_for() returns the node that is shown in
 * place of a node, and note() adds what the node means to its line.
 */
struct dump_more {
	const struct expr *(*stands_for)(const struct expr *e);            /* may be NULL */
	void (*note)(void *ctx, const struct expr *e, struct strbuf *out); /* may be NULL */
	void *ctx;
};

/*
 * Appends a clause's predicate, which may be NULL, and its statements, in the form of ast_dump().
 */
void clause_dump(const struct expr *pred, const struct stmt *body, const struct dump_more *more,
		 struct strbuf *out);

/* Appends an expression as D text to @out, for messages ("operands have incompatible types"). */
void expr_text(const struct expr *e, struct strbuf *out);

#endif
