/*
 * typegen_expr.h - functions of the generator of random programs (typegen.h) that make random
 * choices and write expressions.
 */
#ifndef TESTS_FUZZ_TYPEGEN_EXPR_H
#define TESTS_FUZZ_TYPEGEN_EXPR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "tests/fuzz/typegen.h"

enum kind { K_INT, K_STR, K_PTR, K_CHARP, K_XLATED, NKIND };

enum { MAX_DEPTH = 5, MAX_VARS = 12 };

struct var {
	enum kind kind;
	const char *scope; /* prefix of the variable: "", "self->" or "this->" */
	uint8_t n;
	uint8_t nkey; /* number of keys; 0 if the variable is not an array */
	enum kind key[3];
};

struct gen {
	uint64_t state;
	const struct typegen_opts *o;
	struct strbuf *out;
	struct var var[MAX_VARS];
	unsigned nvar;
	unsigned ninline;
	unsigned nagg;
	unsigned agg_used;
	uint8_t agg_fn[4];
	uint8_t agg_nkey[4];
	enum kind agg_key[4][3];
	const struct site *site; /* probe of the clause */
	bool speculates;         /* the clause speculates, so it must not update aggregations */
	int depth, nest;
};

/*
 * A translated argument: its number, and the names of its members, which are numbers, strings or
 * pointers.
 */
struct xarg {
	int n;
	const char *num[12], *str[6], *ptr[3];
};

struct site {
	const char *probe;
	bool live;              /* the probe does not exist in a replay */
	int nptr;               /* args[0..nptr-1] are pointers to kernel structs */
	const char *ptr_num[6]; /* one member for each pointer, such as "0]->len" */
	const struct xarg *x[7];
};

/*
 * fuzz_below() returns a random number below @n. fuzz_one_in() returns true at random, once in @n
 * times.
 */
unsigned fuzz_below(struct gen *g, unsigned n);
bool fuzz_one_in(struct gen *g, unsigned n);

#define PICK(g, table) ((table)[fuzz_below(g, sizeof(table) / sizeof(*(table)))])

void fuzz_put(struct gen *g, const char *s);

#define putf(g, ...) strbuf_addf((g)->out, __VA_ARGS__)

/* Returns the name of a random integer type. */
const char *fuzz_int_type(struct gen *g);

/*
 * Declarations of the variables that expressions read through pointers. Each program begins with
 * these declarations.
 */
extern const char fuzz_places[];

/*
 * Append an expression of kind @k; only fuzz_assign() appends a statement. fuzz_expr_or_slip()
 * sometimes chooses another kind. fuzz_cast() writes a cast to a pointer type before the
 * expression. fuzz_assign() assigns to a variable of that kind, if the program has one.
 */
void fuzz_expr(struct gen *g, enum kind k);
void fuzz_expr_or_slip(struct gen *g, enum kind k);
void fuzz_cast(struct gen *g, enum kind k);
void fuzz_assign(struct gen *g, enum kind k);

/* Appends a statement that takes a pointer into a struct of the kernel. */
void fuzz_ptr_stmt(struct gen *g);

#endif
