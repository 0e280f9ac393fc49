/* outside.c - performs the actions that have effects outside of dtrace. */
#include "consumer/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/spawn.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/values/datum.h"
#include "consumer/oformat/oformat.h"
#include "consumer/options.h"
#include "consumer/values/printf.h"
#include "ir/program.h"
#include "sandbox/command.h"

char *outside_text(const struct program *p, const struct consumer_opts *o, const struct record *rec,
		   const struct action_info *act)
{
	struct datum *arg = xcalloc(act->nfield + 1, sizeof(*arg));
	struct strbuf b = {0};

	for (uint32_t i = 0; i < act->nfield; i++)
		datum_read(p, &act->field[i], rec, &arg[i]);
	strbuf_add(&b, "", 0);
	fmt_show(&b, act->fmt,
		 &(struct fmt_args){.arg = arg,
				    .narg = act->nfield,
				    .resolver = consumer_resolver(o),
				    .raw = true});
	for (uint32_t i = 0; i < act->nfield; i++)
		datum_release(&arg[i]);
	xfree(arg);
	return b.s;
}

/*
 * Returns what the action does outside of dtrace. The switch has no default case, so that the
 * compiler warns if a new action is not listed.
 */
static enum outside_reach reach_of(const struct action_info *act)
{
	switch (act->kind) {
	case ACT_SYSTEM:
		return REACH_ANY;
	case ACT_FREOPEN:
		return act->fmt && !act->str ? REACH_ANY : REACH_KNOWN;
	case ACT_PCAP:
		return REACH_KNOWN;
	case ACT_DEFAULT:
	case ACT_TRACE:
	case ACT_STACK:
	case ACT_TRACEMEM:
	case ACT_PRINT:
	case ACT_PRINTF:
	case ACT_PRINTA:
	case ACT_CLEAR:
	case ACT_TRUNC:
	case ACT_NORMALIZE:
	case ACT_DENORMALIZE:
	case ACT_EXIT:
	case ACT_SETOPT:
	case ACT_CAPTURE: /* the file of -x capture is opened before the run */
	case ACT_SAMPLE:
	case ACT_FTRUNCATE: /* the file is open already */
	case ACT_SPECULATE:
	case ACT_COMMIT:
	case ACT_DISCARD:
		return REACH_NOTHING;
	}
	BUG("action %d", act->kind);
}

enum outside_reach outside_reach(const struct program *p)
{
	enum outside_reach most = REACH_NOTHING;

	for (uint32_t i = 0; i < p->nclause; i++)
		for (uint32_t k = 0; k < p->clause[i].nact; k++) {
			enum outside_reach one = reach_of(&p->clause[i].act[k]);

			most = one > most ? one : most;
		}
	return most;
}

static int wait_for(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

int outside_command(const struct outside *s, const struct record *rec,
		    const struct action_info *act)
{
	char *command = outside_text(s->p, s->o, rec, act);
	const char *const argv[] = {"sh", "-c", command, NULL};
	pid_t pid;
	int err = spawn_command(&pid, "/bin/sh", argv, -1, -1, 0);

	xfree(command);
	return err ? err : wait_for(pid);
}

static struct opened open_file(const struct action_info *act, const char *name)
{
	struct opened to = {.act = act, .fd = file_open_output(name, O_APPEND)};

	to.err = to.fd < 0 ? errno : 0;
	return to;
}

/*
 * Starts tshark without our rights, because tshark parses packets that others sent. tshark gets its
 * own session: otherwise Ctrl-C would end it before it has read all packets.
 */
static struct opened start_tshark(struct outside *s)
{
	static const char *const argv[] = {"tshark", "-l", "-n", "-r", "-", NULL};
	struct opened to = {.fd = -1};
	int fd[2];

	if (pipe2(fd, O_CLOEXEC)) {
		to.err = errno;
		return to;
	}
	to.err = command_start(&s->tshark, argv, fd[0], fileno(s->o->out), false);
	close(fd[0]);
	if (!to.err) {
		to.fd = fd[1];
		return to;
	}
	s->tshark = 0;
	close(fd[1]);
	return to;
}

void outside_prepare(struct outside *s)
{
	bool shows = false;

	s->prepared = true;
	for (uint32_t i = 0; i < s->p->nclause; i++)
		for (uint32_t k = 0; k < s->p->clause[i].nact; k++) {
			const struct action_info *act = &s->p->clause[i].act[k];

			if (act->kind == ACT_FREOPEN && act->str)
				vec_push(&s->ready, open_file(act, act->str));
			shows |= act->kind == ACT_PCAP;
		}
	if (shows && !(s->o->oformat && s->o->oformat->packet))
		vec_push(&s->ready, start_tshark(s));
}

/* Returns what outside_prepare() has opened for @act. */
static const struct opened *find_ready(const struct outside *s, const struct action_info *act)
{
	for (size_t i = 0; i < s->ready.n; i++)
		if (s->ready.v[i].act == act)
			return &s->ready.v[i];
	BUG("an action was not prepared");
}

/* Closes the file of freopen(), unless later actions need it again. */
static void close_file(struct outside *s)
{
	if (!s->prepared && s->file.act && s->file.fd >= 0)
		close(s->file.fd);
	s->file = (struct opened){0};
}

int outside_reopen(struct outside *s, const struct record *rec, const struct action_info *act,
		   int *fd)
{
	char *name;

	*fd = -1;
	close_file(s);
	if (!act->fmt)
		return 0;
	if (s->prepared) {
		s->file = *find_ready(s, act);
	} else {
		name = outside_text(s->p, s->o, rec, act);
		s->file = open_file(act, name);
		xfree(name);
	}
	*fd = s->file.fd;
	return s->file.err;
}

int outside_tshark(struct outside *s, int *fd)
{
	struct opened to = s->prepared ? *find_ready(s, NULL) : start_tshark(s);

	*fd = to.fd;
	return to.err;
}

void outside_tshark_end(struct outside *s)
{
	if (s->tshark)
		wait_for(s->tshark);
	s->tshark = 0;
}

void outside_release(struct outside *s)
{
	for (size_t i = 0; i < s->ready.n; i++)
		if (s->ready.v[i].act && s->ready.v[i].fd >= 0)
			close(s->ready.v[i].fd);
	close_file(s);
	vec_free(&s->ready);
}
