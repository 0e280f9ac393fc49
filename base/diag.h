/*
 * diag.h - source texts, positions in source texts, and the error that a compile reports.
 *
 * The function that detects an error writes the message, because it knows most about the error. Its
 * callers only return the failure. Like DTrace, a compile reports only its first error: struct diag
 * keeps the first error and counts the others.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum src_kind {
	SRC_CMDLINE, /* text of -n, -P ...; messages have no line number */
	SRC_FILE,    /* file of -s; messages begin with 'line N: ' */
	SRC_LIB,     /* library file; messages begin with '"name", line N: ' */
};

/* A source text to compile. The caller that read the text owns the name and the text. */
struct src {
	enum src_kind kind;
	const char *name; /* file name, or "" on the command line */
	const char *text; /* NUL-terminated */
	size_t len;
	bool ours; /* the text is built into dtrace */
};

/* A position in a source text. */
struct loc {
	const struct src *src; /* the source text, or NULL if the error has no position */
	uint32_t off;          /* offset in the text, in bytes */
};

#define NOLOC ((struct loc){NULL, 0})

/*
 * The D_* error tags that -x errtags shows, one row each: X(tag). The tests in tests/err name the
 * expected tag in their file names.
 */
#define DTAGS(X) \
	X(D_SYNTAX)        /* not allowed by the grammar */ \
	X(D_EMPTY)         /* no program */ \
	X(D_TYPE_ERR)      /* unknown or wrong type name */ \
	X(D_IDENT_UNDEF)   /* unknown variable */ \
	X(D_VAR_UNDEF)     /* self-> or this-> variable that is read but never assigned */ \
	X(D_ATTR_MIN)      /* less stable than -x amin requires */ \
	X(D_CG_EXPR)       /* an action or aggregating function inside an expression */ \
	X(D_IDENT_BADREF)  /* identifier used as another kind of name */ \
	X(D_OP_INCOMPAT)   /* operand types are incompatible */ \
	X(D_OP_INT)        /* operand must be an integer */ \
	X(D_OP_ARITH)      /* operand must be a number */ \
	X(D_OP_INCOMPLETE) /* struct or union that is declared but not defined */ \
	X(D_OP_SCALAR)     /* operand must be a scalar */ \
	X(D_OP_LVAL)       /* operand must be an lvalue */ \
	X(D_OP_WRITE)      /* lvalue must be modifiable */ \
	X(D_OP_PTR)        /* -> needs a pointer */ \
	X(D_OP_SOU)        /* -> and . need a struct or union */ \
	X(D_OP_DYN)        /* operand may not be a dynamic type */ \
	X(D_OP_ACT)        /* operand may not be an action */ \
	X(D_OP_VFPTR)      /* operator does not apply to a void or function pointer */ \
	X(D_OP_ARRFUN)     /* an array or function cannot be assigned to */ \
	X(D_DEREF_NONPTR) \
	X(D_DEREF_FUNC) \
	X(D_REGS_IDX) /* the index n of uregs[n] is too large */ \
	X(D_DEREF_VOID) \
	X(D_TYPE_MEMBER)  /* member not found */ \
	X(D_UNKNOWN)      /* error without a tag of its own */ \
	X(D_SYM_NOTYPES)  /* kernel symbol of unknown type */ \
	X(D_XLATE_NONE)   /* no translator for these types */ \
	X(D_XLATE_NOCONV) /* the translator has no expression for this member */ \
	X(D_XLATE_MEMB)   /* the translated type has no such member */ \
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
	X(D_ARR_BOUNDS) /* constant index outside the array */ \
	X(D_ARR_LOCAL)  /* this->x may not be an associative array */ \
	X(D_KEY_TYPE)   /* type that cannot be a key of an array or aggregation */ \
	X(D_DECL_BADCLASS) \
	X(D_DECL_CLASS)     /* two storage classes */ \
	X(D_DECL_PARMCLASS) /* parameter with a storage class */ \
	X(D_DECL_USELESS)   /* declares nothing */ \
	X(D_DECL_LOCASSC)   /* associative array of class this: this int a[int]; */ \
	X(D_DECL_VOIDATTR)  /* modifier that void does not allow: long void */ \
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
	X(D_FUNC_IDENT)  /* the called expression is not a name */ \
	X(D_FUNC_IDKIND) /* the called name is not a function */ \
	X(D_ARGS_MULTI)  /* args[] of a description that matches an unstable set of probes */ \
	X(D_ARGS_NONE)   /* probe has no typed args[] */ \
	X(D_ARGS_IDX) \
	X(D_ARGS_TYPE) \
	X(D_AGG_REDEF) \
	X(D_AGG_FUNC) \
	X(D_AGG_SCALAR) \
	X(D_AGG_SPEC) /* actions that cannot share a clause */ \
	X(D_AGG_COMM) \
	X(D_ACT_SPEC) /* destructive action after speculate() */ \
	X(D_SPEC_SPEC) \
	X(D_SPEC_COMM) \
	X(D_SPEC_DREC) \
	X(D_COMM_COMM) \
	X(D_COMM_DREC) \
	X(D_DREC_COMM) \
	X(D_EXIT_SPEC) \
	X(D_AGG_MDIM) /* aggregation with two lists of keys: @a[1][2] */ \
	X(D_AGG_NULL) \
	X(D_LQUANT_BASETYPE) /* base of lquantize() is not constant */ \
	X(D_LQUANT_BASEVAL) \
	X(D_LQUANT_LIMTYPE) \
	X(D_LQUANT_LIMVAL) \
	X(D_LQUANT_STEPTYPE) \
	X(D_LQUANT_STEPVAL) \
	X(D_LQUANT_STEPLARGE) \
	X(D_LQUANT_STEPSMALL) \
	X(D_LQUANT_MISMATCH)  /* limit of lquantize() is not above base */ \
	X(D_LQUANT_MATCHBASE) /* base differs from that of another clause */ \
	X(D_LQUANT_MATCHLIM) \
	X(D_LQUANT_MATCHSTEP) \
	X(D_LLQUANT_FACTORTYPE) \
	X(D_LLQUANT_FACTORVAL) \
	X(D_LLQUANT_LMAGTYPE) /* low of llquantize() is not constant */ \
	X(D_LLQUANT_LMAGVAL) \
	X(D_LLQUANT_HMAGTYPE) /* high of llquantize() is not constant */ \
	X(D_LLQUANT_HMAGVAL) \
	X(D_LLQUANT_STEPTYPE) /* nsteps of llquantize() is not constant */ \
	X(D_LLQUANT_STEPVAL) \
	X(D_LLQUANT_MATCHFACTOR) \
	X(D_LLQUANT_MATCHLMAG) \
	X(D_LLQUANT_MATCHHMAG) \
	X(D_LLQUANT_MATCHSTEPS) \
	X(D_PROC_BADPID) /* bad process ID: pid1x:::entry */ \
	X(D_PROC_GRAB)   /* there is no such process */ \
	X(D_PROC_NAME)   /* functions have no probe of this name */ \
	X(D_PROC_OFF)    /* no probe at this offset */ \
	X(D_PROC_LIB)    /* a library needed to read processes is missing */ \
	X(D_PRINTF_ARG_PROTO) \
	X(D_PRINTF_ARG_TYPE) \
	X(D_PRINTF_ARG_EXTRA) \
	X(D_PRINTF_ARG_FMT)   /* the format must be a string constant */ \
	X(D_PRINTF_AGG_CONV)  /* %@ in printf() */ \
	X(D_PRINTF_DYN_PROTO) /* the argument of a '*' is missing */ \
	X(D_PRINTF_DYN_TYPE) \
	X(D_PRINTF_FMT_EMPTY) \
	X(D_FREOPEN_INVALID) /* invalid file name: freopen(".") */ \
	X(D_PRINTA_PROTO)    /* printa() with a format but without aggregations */ \
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
	X(D_USTACK_FRAMES)  /* ustack(n): n must be a positive constant */ \
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
	X(D_PROV_PRARGLEN) /* probe has more arguments than its translators accept */ \
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
	X(D_PRAGMA_SCOPE)  /* attributes of a name that the program does not define */ \
	X(D_PRAGMA_UNUSED) /* attributes of an unknown name */ \
	X(D_PRAGERR)       /* the program contains #error */ \
	X(D_HOOK_NONE)     /* none of the probe's hooks exists on this kernel */ \
	X(D_UNSUPPORTED)   /* feature of DTrace that is missing here or on this kernel */ \
	X(D_LIMIT)         /* exceeds a limit of the kernel or of dtrace */ \
	X(D_VERIFY)        /* the kernel refused the program */ \
	X(D_SYS)           /* a system call failed */

enum dtag {
#define X(tag) tag,
	DTAGS(X)
#undef X
		DTAG_MAX
};

/* The part of a clause where an error is. Messages about -n programs show it. */
enum diag_where { DIAG_OUTSIDE, DIAG_IN_PREDICATE, DIAG_IN_ACTIONS };

struct diag {
	int nerr; /* number of errors */
	/* The members up to @hint describe the first error. */
	enum dtag tag;
	struct loc loc;
	enum diag_where where;
	char *msg;  /* owned */
	char *hint; /* what the user can do, or NULL; owned */
	/* The place that the compiler has reached. diag_error() copies it to @where. */
	enum diag_where now;
};

/* Frees the message and the hint and leaves @d empty. An all-zero struct diag is empty, too. */
void diag_release(struct diag *d);

/*
 * Counts an error. The first error is also recorded. @loc is NOLOC for an error without a position.
 * The message is formatted as by printf(): lower case, without a full stop or newline. Always
 * returns -1, so that callers can return the result.
 */
int diag_error(struct diag *d, enum dtag tag, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Adds a hint: what the user can do about the error. Call this function right after diag_error().
 * It has an effect only if that error is the first one and has no hint yet.
 */
void diag_hint(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports the error that @from has recorded, and its hint, in @to. Always returns -1. */
int diag_copy(struct diag *to, const struct diag *from);

/* Replaces the hint of the recorded error by a copy of @hint. */
void diag_replace_hint(struct diag *d, const char *hint);

/*
 * Appends the recorded message to @out, without a newline: the part of DTrace's error line after
 * "dtrace: failed to compile script x.d: ". The message begins with "[D_TAG] " if @tags is set,
 * then with the position as DTrace writes it ("line N: ", "in action list: " ...).
 */
void diag_text(const struct diag *d, bool tags, struct strbuf *out);

/*
 * Appends the lines that follow the message to @out: the source line and a caret, if the error has
 * a position, then the hint, if there is one. Control characters are escaped.
 */
void diag_help(const struct diag *d, struct strbuf *out);

/*
 * Computes the line and column of @loc, both counted from 1. Line markers of cpp ("# 12 "file.d"")
 * change the line number. @file, if not NULL, is set to the name of the source text.
 */
void loc_line(struct loc loc, unsigned *line, unsigned *col, const char **file);

#endif
