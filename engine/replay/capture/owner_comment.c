/* owner_comment.c - reads the owners of packets from the comments of a pcapng file. */
#include "engine/replay/capture/owner_comment.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/replay/capture/capture.h"

/* If the line begins with @key, moves *@line past it and returns true. */
static bool take_key(const char **line, const char *end, const char *key)
{
	size_t n = strlen(key);

	if ((size_t)(end - *line) < n || strncmp(*line, key, n))
		return false;
	*line += n;
	return true;
}

static uint32_t read_pid(const char *p, const char *end)
{
	uint64_t pid = 0;

	for (; p < end && *p >= '0' && *p <= '9' && pid <= INT32_MAX; p++)
		pid = pid * 10 + (uint64_t)(*p - '0');
	return pid <= INT32_MAX ? (uint32_t)pid : 0;
}

static void copy_text(char *to, size_t room, const char *p, const char *end)
{
	size_t n = (size_t)(end - p) < room - 1 ? (size_t)(end - p) : room - 1;

	memcpy(to, p, n);
}

/* Stores the last component of the path from @p to @end as the command's name. */
static void read_command(struct packet_owner *o, const char *p, const char *end)
{
	const char *slash = memrchr(p, '/', (size_t)(end - p));

	copy_text(o->name, sizeof(o->name), slash ? slash + 1 : p, end);
}

/* The kinds of lines besides "PID: " and "Cmd: ", and the members that they fill. */
static const struct text_line {
	const char *key;
	size_t at, room;
} text_lines[] = {
#define TEXT(member, room) offsetof(struct packet_owner, member), room
#define WHOLE(member) TEXT(member, sizeof(((struct packet_owner *)0)->member))
	{"User: ", WHOLE(user)},
	{"Control group: ", WHOLE(cgroup)},
	{"Container: ", WHOLE(container)},
	/* keeps the first 12 of the 64 digits that ptcpdump writes */
	{"ContainerId: ", TEXT(container, 12 + 1)},
	{"Network namespace: ", WHOLE(netns)},
#undef WHOLE
#undef TEXT
};

static void read_text_line(struct packet_owner *o, const char *p, const char *end)
{
	for (size_t i = 0; i < sizeof(text_lines) / sizeof(*text_lines); i++) {
		char *to = (char *)o + text_lines[i].at;

		if (*to || !take_key(&p, end, text_lines[i].key))
			continue;
		copy_text(to, text_lines[i].room, p, end);
		return;
	}
}

static void read_lines(struct packet_owner *o, const char *text, const char *end)
{
	bool named = false;

	for (const char *p = text, *next; p < end; p = next + 1) {
		next = memchr(p, '\n', (size_t)(end - p));
		if (!next)
			next = end;
		if (!o->pid && take_key(&p, next, "PID: ")) {
			o->pid = read_pid(p, next);
		} else if (!named && take_key(&p, next, "Cmd: ")) {
			read_command(o, p, next);
			named = true;
		} else {
			read_text_line(o, p, next);
		}
	}
}

void owner_begin(struct packet_owner *o)
{
	o->pid = 0;
}

void owner_comment_read(struct packet_owner *o, const char *text, const char *end)
{
	struct packet_owner found = {0}; /* zeroed, because filters compare all bytes of a name */

	read_lines(&found, text, end);
	if (found.pid && (!o->pid || (o->pid == found.pid && !o->name[0])))
		*o = found;
}

void owner_option_read(struct packet_owner *o, uint32_t pid)
{
	if (pid > INT32_MAX || pid == o->pid)
		return;
	*o = (struct packet_owner){.pid = pid};
}
