/*
 * diag.h - source texts, positions in them, and the one error a compile reports.
 *
 * Whoever finds an error knows the most about it, so it writes the message,
 * once; callers only pass failure on.  Only the first error is kept, as DTrace
 * reports only the first; later ones are counted.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum src_kind {
	SRC_CMDLINE, /* text of -n, -P ...: errors carry no line number */
	SRC_FILE,    /* -s: "line N: " */
	SRC_LIB,     /* a library file: "\"name\", line N: " */
};

/* One text that is compiled.  Plain data, owned by whoever read it. */
struct src {
	enum src_kind kind;
	const char *name; /* file name, or "" on the command line */
	const char *text; /* NUL-terminated */
	size_t len;
	bool ours; /* built in, as every run has it */
};

/* A byte in a text.  src == NULL: nowhere. */
struct loc {
	const struct src *src;
	uint32_t off;
};

#define NOLOC ((struct loc){NULL, 0})

/*
 * The D_* error tags that -x errtags shows.  One row each: X(tag).
 * A test names the tag it wants in its file name.
 */
#define DTAGS(X) \
	X(D_SYNTAX)        /* what the grammar does not allow */ \
	X(D_EMPTY)         /* no program */ \
	X(D_TYPE_ERR)      /* unknown or wrong type name */ \
	X(D_IDENT_UNDEF)   /* unknown variable */ \
	X(D_VAR_UNDEF)     /* self-> or this-> variable that nothing assigns */ \
	X(D_ATTR_MIN)      /* less stable than -x amin wants */ \
	X(D_CG_EXPR)       /* an action or aggregating function inside an expression */ \
	X(D_IDENT_BADREF)  /* identifier used as what it is not */ \
	X(D_OP_INCOMPAT)   /* operand types do not go together */ \
	X(D_OP_INT)        /* operand must be an integer */ \
	X(D_OP_ARITH)      /* operand must be a number */ \
	X(D_OP_INCOMPLETE) /* struct or union that is only announced */ \
	X(D_OP_SCALAR)     /* operand must be a scalar */ \
	X(D_OP_LVAL)       /* operand must be an lvalue */ \
	X(D_OP_WRITE)      /* lvalue must be modifiable */ \
	X(D_OP_PTR)        /* -> wants a pointer */ \
	X(D_OP_SOU)        /* -> and . want a struct or union */ \
	X(D_OP_DYN)        /* operand may not be a dynamic type */ \
	X(D_OP_ACT)        /* operand may not be an action */ \
	X(D_OP_VFPTR)      /* cannot use void or function pointer so */ \
	X(D_OP_ARRFUN)     /* an array or function cannot be assigned to */ \
	X(D_DEREF_NONPTR) \
	X(D_DEREF_FUNC) \
	X(D_REGS_IDX) /* uregs[n]: there are not so many */ \
	X(D_DEREF_VOID) \
	X(D_TYPE_MEMBER)  /* member not found */ \
	X(D_UNKNOWN)      /* what has no tag of its own */ \
	X(D_SYM_NOTYPES)  /* kernel symbol of unknown type */ \
	X(D_XLATE_NONE)   /* no translator for these types */ \
	X(D_XLATE_NOCONV) /* it does not say of that member */ \
	X(D_XLATE_MEMB)   /* translator lacks this member */ \
	X(D_XLATE_SOU) \
	X(D_XLATE_INCOMPAT) \
	X(D_XLATE_REDECL) \
	X(D_CAST_INVAL) \
	X(D_SIZEOF_BITFIELD) \
	X(D_SIZEOF_TYPE) \
	X(D_OFFSETOF_TYPE) \
	X(D_OFFSETOF_BITFIELD) \
	X(D_ADDROF_LVAL) \
	X(D_ADDROF_VAR) \
	X(D_ADDROF_BITFIELD) \
	X(D_STRINGOF_TYPE) \
	X(D_ARR_BADREF) \
	X(D_ARR_BOUNDS) /* a constant index is not in the array */ \
	X(D_ARR_LOCAL)  /* this->x may not be an associative array */ \
	X(D_KEY_TYPE)   /* associative array or aggregation key of no use */ \
	X(D_DECL_BADCLASS) \
	X(D_DECL_CLASS)     /* two storage classes */ \
	X(D_DECL_PARMCLASS) /* a storage class of a parameter */ \
	X(D_DECL_USELESS)   /* declares nothing */ \
	X(D_DECL_LOCASSC)   /* this int a[int]; */ \
	X(D_DECL_VOIDATTR)  /* long void ... */ \
	X(D_DECL_CHARATTR) \
	X(D_DECL_SIGNINT) \
	X(D_DECL_LONGINT) \
	X(D_DECL_PROTO_VARARGS) \
	X(D_DECL_PROTO_TYPE) \
	X(D_DECL_PROTO_VOID) \
	X(D_DECL_PROTO_NAME) \
	X(D_DECL_IDRED) /* identifier redeclared */ \
	X(D_DECL_COMBO) /* invalid combination of type specifiers */ \
	X(D_DECL_ARRNULL) \
	X(D_DECL_ARRSUB) \
	X(D_DECL_INCOMPLETE) \
	X(D_DECL_SCOPE) \
	X(D_DECL_TYPERED) /* type redeclared */ \
	X(D_DECL_VOIDOBJ) /* object or member of type void */ \
	X(D_DECL_ENCONST) \
	X(D_DECL_ENOFLOW) \
	X(D_DECL_BFCONST) \
	X(D_DECL_BFSIZE) \
	X(D_DECL_BFTYPE) \
	X(D_PROTO_LEN) /* wrong number of arguments */ \
	X(D_PROTO_ARG) /* argument of the wrong type */ \
	X(D_FUNC_UNDEF) \
	X(D_FUNC_IDENT)  /* what is called is no name */ \
	X(D_FUNC_IDKIND) /* ... is no function's name */ \
	X(D_ARGS_MULTI)  /* args[] of an unstable set of probes */ \
	X(D_ARGS_NONE)   /* probe has no typed args[] */ \
	X(D_ARGS_IDX) \
	X(D_ARGS_TYPE) \
	X(D_AGG_REDEF) \
	X(D_AGG_FUNC) \
	X(D_AGG_SCALAR) \
	X(D_AGG_SPEC) /* actions that do not go together in a clause */ \
	X(D_AGG_COMM) \
	X(D_ACT_SPEC) /* a destructive one behind speculate() */ \
	X(D_SPEC_SPEC) \
	X(D_SPEC_COMM) \
	X(D_SPEC_DREC) \
	X(D_COMM_COMM) \
	X(D_COMM_DREC) \
	X(D_DREC_COMM) \
	X(D_EXIT_SPEC) \
	X(D_AGG_MDIM) /* @a[1][2] */ \
	X(D_AGG_NULL) \
	X(D_LQUANT_BASETYPE) /* lquantize(): base must be constant, ... */ \
	X(D_LQUANT_BASEVAL) \
	X(D_LQUANT_LIMTYPE) \
	X(D_LQUANT_LIMVAL) \
	X(D_LQUANT_STEPTYPE) \
	X(D_LQUANT_STEPVAL) \
	X(D_LQUANT_STEPLARGE) \
	X(D_LQUANT_STEPSMALL) \
	X(D_LQUANT_MISMATCH)  /* base and limit */ \
	X(D_LQUANT_MATCHBASE) /* not that of another clause */ \
	X(D_LQUANT_MATCHLIM) \
	X(D_LQUANT_MATCHSTEP) \
	X(D_LLQUANT_FACTORTYPE) \
	X(D_LLQUANT_FACTORVAL) \
	X(D_LLQUANT_LMAGTYPE) /* low */ \
	X(D_LLQUANT_LMAGVAL) \
	X(D_LLQUANT_HMAGTYPE) /* high */ \
	X(D_LLQUANT_HMAGVAL) \
	X(D_LLQUANT_STEPTYPE) /* nsteps */ \
	X(D_LLQUANT_STEPVAL) \
	X(D_LLQUANT_MATCHFACTOR) \
	X(D_LLQUANT_MATCHLMAG) \
	X(D_LLQUANT_MATCHHMAG) \
	X(D_LLQUANT_MATCHSTEPS) \
	X(D_PROC_BADPID) /* pid1x:::entry */ \
	X(D_PROC_GRAB)   /* no such process */ \
	X(D_PROC_NAME)   /* no function has such a probe */ \
	X(D_PROC_OFF)    /* nor at that offset */ \
	X(D_PROC_LIB)    /* what it takes to look at processes is not there */ \
	X(D_PRINTF_ARG_PROTO) \
	X(D_PRINTF_ARG_TYPE) \
	X(D_PRINTF_ARG_EXTRA) \
	X(D_PRINTF_ARG_FMT)   /* the format must be a string constant */ \
	X(D_PRINTF_AGG_CONV)  /* %@ in printf() */ \
	X(D_PRINTF_DYN_PROTO) /* the argument of a '*' is missing */ \
	X(D_PRINTF_DYN_TYPE) \
	X(D_PRINTF_FMT_EMPTY) \
	X(D_FREOPEN_INVALID) /* freopen(".") */ \
	X(D_PRINTA_PROTO)    /* a format and nothing to print */ \
	X(D_PRINTA_AGGARG) \
	X(D_PRINTA_AGGBAD) \
	X(D_PRINTA_AGGPROTO) \
	X(D_PRINTA_AGGKEY) \
	X(D_CLEAR_AGGARG) \
	X(D_CLEAR_AGGBAD) \
	X(D_TRUNC_AGGARG) \
	X(D_TRUNC_AGGBAD) \
	X(D_NORMALIZE_AGGARG) \
	X(D_NORMALIZE_AGGBAD) \
	X(D_USTACK_FRAMES)  /* ustack(n): likewise */ \
	X(D_USTACK_STRSIZE) /* ustack(n, size): size must be a constant */ \
	X(D_STACK_SIZE)     /* stack(n): n must be a positive constant */ \
	X(D_TRACE_VOID) \
	X(D_TRACE_DYN) \
	X(D_PRINT_VOID) \
	X(D_PRINT_DYN) \
	X(D_TRACEMEM_ADDR) \
	X(D_TRACEMEM_SIZE) \
	X(D_DIV_ZERO) \
	X(D_PROV_BADNAME) \
	X(D_PROV_PRARGLEN) /* more inputs than the translator takes */ \
	X(D_PROV_PRXLATOR) /* no translator for an argument */ \
	X(D_PROV_PRDUP)    /* probe declared twice */ \
	X(D_PDESC_ZERO)    /* description matches no probe */ \
	X(D_PDESC_INVAL) \
	X(D_PRED_SCALAR) \
	X(D_MACRO_UNDEF) \
	X(D_MACRO_UNUSED) \
	X(D_MACRO_OFLOW) \
	X(D_INT_OFLOW) \
	X(D_INT_DIGIT) \
	X(D_CHR_NL) \
	X(D_CHR_NULL) \
	X(D_CHR_OFLOW) \
	X(D_STR_NL) \
	X(D_PRAGMA_INVAL) \
	X(D_PRAGMA_MALFORM) \
	X(D_PRAGCTL_INVAL) /* unknown control line */ \
	X(D_PRAGMA_OPTSET) \
	X(D_PRAGMA_DEPEND) \
	X(D_PRAGMA_SCOPE)  /* attributes of what is not the program's */ \
	X(D_PRAGMA_UNUSED) /* ... of nothing */ \
	X(D_PRAGERR)       /* #error */ \
	X(D_HOOK_NONE)     /* a probe none of whose hooks exist here */ \
	X(D_UNSUPPORTED)   /* known to DTrace, not to us (yet, or on this kernel) */ \
	X(D_LIMIT)         /* too big for the kernel or for us */ \
	X(D_VERIFY)        /* the kernel refused the program */ \
	X(D_SYS)           /* a system call failed */

enum dtag {
#define X(tag) tag,
	DTAGS(X)
#undef X
		DTAG_MAX
};

/* Which part of a clause is being compiled; named in errors of command-line programs. */
enum diag_where { DIAG_OUTSIDE, DIAG_IN_PREDICATE, DIAG_IN_ACTIONS };

struct diag {
	int nerr;      /* errors so far */
	enum dtag tag; /* of the first */
	struct loc loc;
	enum diag_where where; /* as set when the first error was recorded */
	char *msg;             /* owned */
	char *hint;            /* owned, or NULL: what to do about it */
	enum diag_where now;   /* set by the compiler as it goes */
};

/* An all-zero struct diag is ready to use. */
void diag_release(struct diag *d);

/* Records the error if it is the first.  Returns -1 always, so callers can return it. */
int diag_error(struct diag *d, enum dtag tag, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* What the user can do; call right after diag_error.  Kept only for the first error. */
void diag_hint(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same, in place of a hint that was given before. */
void diag_replace_hint(struct diag *d, const char *hint);

/*
 * The recorded message with DTrace's position in front ("line N: ", "in action
 * list: " ...), and "[D_TAG] " when @tags: everything after "dtrace: failed to
 * compile script x.d: ".  Appended to @out, no newline.
 */
void diag_text(const struct diag *d, bool tags, struct strbuf *out);

/*
 * What follows the message, as lines appended to @out: the source line and a caret, if the error
 * has a position, then the hint, if there is one. Plain text; control characters are escaped.
 */
void diag_help(const struct diag *d, struct strbuf *out);

/* "D_SYNTAX". */
const char *dtag_name(enum dtag tag);

/* 1-based line and column of @loc; honours "# N file" lines. @file may be NULL. */
void loc_line(struct loc loc, unsigned *line, unsigned *col, const char **file);

#endif
