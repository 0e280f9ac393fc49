/* lang.c - collects the tables of variables, subroutines and actions in one struct lang. */
#include "compiler/builtins/lang.h"

#include "compiler/meaning/lang.h"

const struct lang *dtrace_lang(void)
{
	static struct lang l = {
		.why_never = why_never,
		.constant = constant_find,
	};

	l.var = var_rows(&l.nvar);
	l.subr = subr_rows(&l.nsubr);
	l.action = action_rows(&l.naction);
	return &l;
}
