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

static int wait_for(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

static int run_command(void *ctx, const struct record *rec, const struct action_info *act)
{
	const struct outside_self *s = ctx;
	char *command = outside_text(s->p, s->o, rec, act);
	const char *const argv[] = {"sh", "-c", command, NULL};
	pid_t pid;
	int err = spawn_command(&pid, "/bin/sh", argv, -1, -1, 0);

	xfree(command);
	return err ? err : wait_for(pid);
}

static int open_file(void *ctx, const struct record *rec, const struct action_info *act, int *fd)
{
	const struct outside_self *s = ctx;
	char *name;
	int err = 0;

	*fd = -1;
	if (!act->fmt)
		return 0;
	name = outside_text(s->p, s->o, rec, act);
	*fd = file_open_output(name, O_APPEND);
	if (*fd < 0)
		err = errno;
	xfree(name);
	return err;
}

/*
 * Starts tshark without our rights, because tshark parses packets that others sent. tshark gets its
 * own session: otherwise Ctrl-C would end it before it has read all packets.
 */
static int start_tshark(void *ctx, const struct record *rec, const struct action_info *act, int *to)
{
	static const char *const argv[] = {"tshark", "-l", "-n", "-r", "-", NULL};
	struct outside_self *s = ctx;
	int fd[2], err;

	(void)rec, (void)act;
	if (pipe2(fd, O_CLOEXEC))
		return errno;
	err = command_start(&s->tshark, argv, fd[0], fileno(s->o->out), false);
	close(fd[0]);
	if (!err) {
		*to = fd[1];
		return 0;
	}
	s->tshark = 0;
	close(fd[1]);
	return err;
}

static int await_tshark(void *ctx)
{
	struct outside_self *s = ctx;
	int err = s->tshark ? wait_for(s->tshark) : 0;

	s->tshark = 0;
	return err;
}

const struct outside_ops outside_self = {run_command, open_file, start_tshark, await_tshark};
