/*
 * process.c - a check for actions and subroutines that work on the current process.
 */
#include "compiler/builtins/process.h"

#include "base/diag.h"
#include "compiler/code/eval/fire.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/probes/probes.h"
#include "providers/provider.h"

bool by_task(struct fire *g, struct loc at, const char *user, const char *cannot)
{
	if (g->u->hook->by_task && !g->hook->as)
		return true;
	if (g->hook->as)
		cannot = "does not run in the thread that the probe fires for";
	diag_error(g->c->d, D_UNSUPPORTED, at,
		   "%s cannot be used in %s:::%s: a program at the hook %s:::%s %s", user,
		   g->probe->prov, g->probe->name, g->hook->host->prov, g->hook->host->name,
		   cannot);
	return false;
}
