/*
 * rights.c - chooses which system calls each kind of run keeps. The steps that give up rights, and
 * the capabilities that a live run keeps, are in sandbox/confine.c.
 */
#include "cmd/rights.h"

#include <time.h>

#include "base/diag.h"
#include "sandbox/command.h"
#include "sandbox/confine.h"
#include "sandbox/reader.h"

static bool off;
/* the system calls that rights_with_opener() and rights_with_view() allow in addition */
static unsigned more_calls;

void rights_off(void)
{
	off = true;
	readers_allow_unconfined();
	commands_allow_unconfined();
}

void rights_with_opener(void)
{
	more_calls |= CALLS_MESSAGES;
}

void rights_with_view(void)
{
	more_calls |= CALLS_SCREEN;
}

static bool refused(struct diag *d, struct strbuf *why)
{
	diag_error(d, D_SYS, NOLOC,
		   "cannot give up rights before reading untrusted data: %s "
		   "(-x confine=off continues without confinement)",
		   strbuf_text(why));
	strbuf_release(why);
	return false;
}

static bool confine_for(unsigned calls, struct diag *d)
{
#ifdef SANITIZED /* Sanitizers read /proc and trace their process when it ends. */
	struct strbuf why = {0};

	(void)calls;
	return confine_capabilities(&why) || refused(d, &why);
#else
	const struct confinement c = {.calls = CALLS_BASE | CALLS_REPLAY | more_calls | calls,
				      .best_effort = off};
	struct strbuf why = {0};

	tzset(); /* read the time zone's file now, because the process cannot open it later */
	return confine(&c, &why) || refused(d, &why);
#endif
}

bool confine_replay(struct diag *d)
{
	return confine_for(0, d);
}

bool confine_receiving(struct diag *d)
{
	return confine_for(CALLS_RECEIVE, d);
}

bool confine_serving(struct diag *d)
{
	return confine_for(CALLS_MESSAGES | CALLS_ASK, d);
}

bool confine_receiving_and_serving(struct diag *d)
{
	return confine_for(CALLS_RECEIVE | CALLS_MESSAGES | CALLS_ASK, d);
}

bool confine_live(bool (*enough)(void), struct diag *d)
{
	struct strbuf why = {0};

	return confine_tracing(enough, &why) || off || refused(d, &why);
}
