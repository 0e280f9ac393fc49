/*
 * owner.h - names of what the kernel keeps numbers of: users, control groups, containers, network
 * namespaces.
 *
 * Names are kept, so that a group that is gone has its name.  The names of all control groups take
 * at most OWNER_GROUPS_BYTES: then the groups that ended first lose their names.  If too many
 * groups are there at once, those that are made later have none.  A text is valid until the next
 * call.
 */
#ifndef PROCINFO_OWNER_H
#define PROCINFO_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define OWNER_UNKNOWN "unknown" /* as NAMED_UNKNOWN of programs */
#define OWNER_NONE "-"          /* of a container: none */

#define OWNER_GROUPS_BYTES (32u << 20)
#define OWNER_USERS_NS 2000000000u /* for all look-ups of users together */

/*
 * From here on nothing is looked up on this machine: users and namespaces are shown as numbers. For
 * numbers that come from elsewhere.
 */
void owner_numbers_only(void);

/*
 * The user's name by getpwuid(3), or the number if there is no name.  (uint32_t)-1: unknown.  Once
 * the look-ups have taken OWNER_USERS_NS together, users that were not seen before are shown by
 * number.
 */
const char *owner_user(uint32_t uid);

/* Has @fn told, in one line without its end, that users are shown by number from now on. */
void owner_report(void (*fn)(const char *line));

/* The path of control group (version 2) @id below the root, "/" that itself. */
const char *owner_cgroup(uint64_t id);

/* The outermost container on that path, as its runtime names it in short. */
const char *owner_container(uint64_t id);

/*
 * Of the network namespace with that inode number: its name in /run/netns or /run/docker/netns,
 * else "nginx/1234", the process there with the lowest number, else the number.
 */
const char *owner_netns(uint64_t ino);

/*
 * From here on control groups are seen when they are made.  A descriptor that can be read when
 * there is news; -1: none.
 */
int owner_watch(void);

/* Takes the news. */
void owner_read_events(void);

/* All that was noted, and closes what is watched. */
void owner_release(void);

/* ---------------------------------------------------------- numbers by name */

/* Each gives the number of @text; else false, and @why says what is wrong with it. */
bool owner_user_id(const char *text, uint64_t *id, const char **why);
bool owner_netns_id(const char *text, uint64_t *id, const char **why);
/* @level: how many groups down from the root it is. */
bool owner_cgroup_id(const char *text, uint64_t *id, unsigned *level, const char **why);

/* What of @path names a container, appended in short; false: it is in none. */
bool owner_container_of(const char *path, struct strbuf *out);

#endif
