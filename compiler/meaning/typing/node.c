/*
 * node.c - calls the function that type-checks a node of its kind.
 */
#include "compiler/meaning/typing/node.h"

#include "compiler/meaning/typing/operators/assign.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/typing/operators/cast.h"
#include "compiler/meaning/typing/names/ident.h"
#include "compiler/meaning/typing/operators/index.h"
#include "compiler/meaning/typing/operators/operator.h"
#include "compiler/meaning/typing/names/translate.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

int type_node(struct compiler *c, struct expr *e)
{
	switch (e->kind) {
	case E_INT:
		return 0;
	case E_STR:
		e->type = &type_string;
		return 0;
	case E_IDENT:
		return sema_ident(c, e);
	case E_THIS:
		return sema_scoped(c, e, DECL_THIS);
	case E_SELF:
		return sema_scoped(c, e, DECL_SELF);
	case E_AGG:
		e->type = &type_agg;
		return 0;
	case E_UNARY:
		return sema_unary(c, e);
	case E_BINARY:
		return sema_binary(c, e);
	case E_ASSIGN:
		return sema_assign(c, e);
	case E_COND:
		return sema_cond(c, e);
	case E_CALL:
		return sema_call(c, e);
	case E_INDEX:
		return sema_index(c, e);
	case E_MEMBER:
		return sema_member(c, e);
	case E_CAST:
		return sema_cast(c, e);
	case E_SIZEOF:
		return sema_sizeof(c, e);
	case E_OFFSETOF:
		return sema_offsetof(c, e);
	case E_STRINGOF:
		return sema_stringof(c, e);
	case E_XLATE:
		return sema_xlate(c, e);
	case E_COMMA:
		return sema_comma(c, e);
	}
	return -1;
}
