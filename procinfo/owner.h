/*
 * owner.h - names for numbers of the kernel: users, control groups, containers, network namespaces.
 *
 * Names are cached, so that a group that has ended still has a name. The cache of control groups is
 * limited to OWNER_GROUPS_BYTES. If it is full, the groups that ended first lose their names. If
 * too many groups exist at once, newer groups have no names. A returned string is valid until the
 * next call.
 */
#ifndef PROCINFO_OWNER_H
#define PROCINFO_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWNER_UNKNOWN "unknown" /* equal to NAMED_UNKNOWN in programs */
#define OWNER_NONE "-"          /* the name of the container of a process without one */

#define OWNER_GROUPS_BYTES (32u << 20) /* maximum size of all names of control groups */
#define OWNER_USERS_NS 2000000000u     /* time limit for all lookups of users together */

/*
 * Shows users and namespaces as numbers from now on. For records of another machine, whose numbers
 * mean nothing here.
 */
void owner_numbers_only(void);

/*
 * Returns the user's name by getpwuid(3), or the number if there is no name. (uint32_t)-1 is
 * "unknown". After the lookups have taken OWNER_USERS_NS together, new users are shown as numbers.
 */
const char *owner_user(uint32_t uid);

/*
 * Sets a function that is called once, with one line without a newline, if users are shown as
 * numbers because lookups take too long.
 */
void owner_report(void (*fn)(const char *line));

/* Returns the path of the control group @id (version 2) below the root; "/" is the root itself. */
const char *owner_cgroup(uint64_t id);

/*
 * Returns the short name of the outermost container on the path of control group @id, as its
 * runtime shows it; OWNER_NONE if there is none.
 */
const char *owner_container(uint64_t id);

/*
 * Returns the name of the network namespace with inode number @ino. That is its name in /run/netns
 * or /run/docker/netns; else its process with the lowest number, as "nginx/1234"; else the number.
 */
const char *owner_netns(uint64_t ino);

/*
 * Starts to watch control groups, so that new groups have names. Releases all state first. Returns
 * a descriptor that is readable when owner_read_events() has work, or -1. This module owns it.
 */
int owner_watch(void);

/* Processes the events of control groups that were created or ended. */
void owner_read_events(void);

/* Frees all names and stops watching control groups. */
void owner_release(void);

/* ---------------------------------------------------------- numbers by name */

/*
 * Convert a name to the kernel's number: of a user, of a network namespace (its name, or the number
 * itself), of a control group (its path). On failure, they return false and set @why to the end of
 * a message about @text.
 */
bool owner_user_id(const char *text, uint64_t *id, const char **why);
bool owner_netns_id(const char *text, uint64_t *id, const char **why);
/* @level is the depth of the group below the root: 1 for a child of the root. */
bool owner_cgroup_id(const char *text, uint64_t *id, unsigned *level, const char **why);

#endif
