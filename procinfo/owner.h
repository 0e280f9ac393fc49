/*
 * owner.h - names for numbers of the kernel: users, control groups, containers, network namespaces.
 *
 * Names are cached, so that a control group that has ended still has a name. The names of the
 * control groups of one user may use OWNER_GROUPS_USER_BYTES of memory; those of root,
 * OWNER_GROUPS_BYTES. Beyond that limit, the groups that ended first lose their names. If existing
 * groups alone exceed the limit, newer groups have no names, and a message says so. A returned
 * string is valid until the next call.
 */
#ifndef PROCINFO_OWNER_H
#define PROCINFO_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWNER_UNKNOWN "unknown" /* the same text as NAMED_UNKNOWN in programs */
#define OWNER_NONE "-"          /* name of the container for a process in no container */

#define OWNER_GROUPS_BYTES (32u << 20)     /* maximum size of the names of root's control groups */
#define OWNER_GROUPS_USER_BYTES (8u << 20) /* the same, for each other user */
#define OWNER_USERS_NS 2000000000u         /* time limit for all lookups of users together, in ns */

/*
 * Makes later calls show users and namespaces as numbers. This is for records of another machine,
 * because the same number may have another name here.
 */
void owner_numbers_only(void);

/*
 * Returns the user's name by getpwuid(3), or the number as text if there is no name. (uint32_t)-1
 * is "unknown". After all lookups together have taken OWNER_USERS_NS, users that were not looked up
 * before are shown as numbers.
 */
const char *owner_user(uint32_t uid);

/*
 * Sets a function that is called with messages, at most once for users that are shown as numbers
 * because lookups take too long, and once for each user whose control groups have no names. A
 * message is one line without a newline.
 */
void owner_report(void (*fn)(const char *line));

/*
 * Returns the path of the control group @id (version 2) below the root; "/" is the root itself.
 * Returns OWNER_UNKNOWN if no group with this number has been seen.
 */
const char *owner_cgroup(uint64_t id);

/*
 * Returns the short name of the container of control group @id, as the container's runtime shows
 * it. If containers are nested, returns the outermost one. Returns OWNER_NONE if the group is in no
 * container, and OWNER_UNKNOWN if the group is unknown.
 */
const char *owner_container(uint64_t id);

/*
 * Returns a name of the network namespace with inode number @ino: its name in /run/netns or
 * /run/docker/netns; else the process with the lowest number in it, as "nginx/1234"; else the
 * number @ino. Also returns the number if a namespace with this number had another name since the
 * time of owner_window(). Returns OWNER_UNKNOWN if @ino is 0.
 */
const char *owner_netns(uint64_t ino);

/*
 * Says that the following numbers were recorded after @from, a time of now_monotonic(). 0, as at
 * the start, stands for any time.
 */
void owner_window(uint64_t from);

/*
 * Starts to watch control groups, so that new groups have names. Releases all earlier state first.
 * Returns a descriptor that is readable when owner_read_events() should be called, or -1. The
 * caller must not close the descriptor.
 */
int owner_watch(void);

/* Processes the events about control groups that were created or have ended. */
void owner_read_events(void);

/* Frees all names and stops watching control groups. */
void owner_release(void);

/* ---------------------------------------------------------- numbers by name */

/*
 * These functions convert a name to the kernel's number of a user, of a network namespace or of a
 * control group. A namespace is given by its name, its inode number, the number of a process in it,
 * or the path of a file that stands for it. A control group is given by its path. On failure, a
 * function returns false and sets @why to the end of a message about @text.
 */
bool owner_user_id(const char *text, uint64_t *id, const char **why);
bool owner_netns_id(const char *text, uint64_t *id, const char **why);
/* @level is the depth of the group below the root: 1 for a child of the root. */
bool owner_cgroup_id(const char *text, uint64_t *id, unsigned *level, const char **why);

#endif
