/*
 * group.h - a control group for each run on a host, which bounds the CPU time, the memory and the
 * processes of the run's dtrace.
 *
 * A group is one directory for each tree of control groups: one with cgroup v2, and up to three
 * with cgroup v1 (cpu, memory, pids). The directories are in the agent's own group, and their names
 * begin with a prefix of this agent, because a machine may have several agents.
 *
 * With cgroup v2, a group that has groups of its own must have no processes. So the agent moves
 * itself to the group "agent" inside its own group, if the agent is the only process there. In a
 * unit of systemd this needs Delegate=yes.
 *
 * Source: the kernel's Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/, and systemd's
 * CGROUP_DELEGATION.
 */
#ifndef FLEET_HOST_GROUP_H
#define FLEET_HOST_GROUP_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

struct group_bounds {
	uint64_t cpu;    /* percent of one CPU */
	uint64_t memory; /* bytes */
	uint64_t tasks;  /* processes and threads */
};

/* The place where an agent creates its groups. */
struct groups;

/*
 * Finds the place for the groups of the agent whose folder is @dir. The result may lack some bounds
 * or all (groups_lack()). The caller frees it with groups_free().
 */
struct groups *groups_find(const char *dir);
void groups_free(struct groups *g);

/*
 * Returns why groups cannot set some of the bounds, or NULL if they can set all of them. @g owns
 * the text.
 */
const char *groups_lack(const struct groups *g);

/*
 * Creates the group @name with these bounds for a run, or takes the group if it exists. Writes the
 * paths of the group's directories, each with a line end, to the file "group" in the run's folder
 * @dir. If groups cannot set some bounds, sets the others, or fails if @required is set. Returns
 * false, with the reason in @why, on failure.
 */
bool groups_make(const struct groups *g, const char *name, const struct group_bounds *b,
		 bool required, const char *dir, struct strbuf *why);

/* Sets the bounds of the group @name again, if the group exists. */
void groups_bound(const struct groups *g, const char *name, const struct group_bounds *b);

/* Returns whether the group @name is in use. */
typedef bool group_used_fn(void *ctx, const char *name);

/* Ends the processes of all groups that are not in use, and removes these groups. */
void groups_clean(const struct groups *g, group_used_fn *used, void *ctx);

/*
 * Moves this process to the group whose directories are the lines of @dirs. Returns false, with the
 * error in errno, on failure.
 */
bool group_enter(const char *dirs);

/* Ends the processes of the group whose directories are the lines of @dirs, and removes it. */
void group_remove(const char *dirs);

/*
 * Returns whether the kernel has ended a process of the group because the group's memory was used
 * up.
 */
bool group_was_out_of_memory(const char *dirs);

#endif
