/* health.c - reads, writes and judges the health of an agent. */
#include "fleet/status/health.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "fleet/message.h"

#define AGAIN_NS 60000000000ull
#define CALM_NS 2000000000ull

enum { ERROR_S = 86400, DISK_PERCENT = 5 };

/* Stores the first line of @text as the error. */
static void set_error(struct health *h, const char *text)
{
	struct strbuf b = {0};
	size_t n;

	visible_add(&b, text, strcspn(text, "\n"));
	n = b.len < HEALTH_ERROR_MAX ? b.len : HEALTH_ERROR_MAX;
	while (n < b.len && n && ((unsigned char)b.s[n] & 0xc0) == 0x80)
		n--; /* do not cut a character in two */
	memcpy(h->error, strbuf_text(&b), n);
	h->error[n] = '\0';
	strbuf_release(&b);
}

void health_error(struct health *h, const char *text)
{
	h->errors++;
	h->error_at = now_real() / 1000000000u;
	set_error(h, text);
}

void health_look(struct health *h, const char *dir)
{
	struct statvfs st;

	if (statvfs(dir, &st))
		return;
	h->free = (uint64_t)st.f_bavail * st.f_frsize;
	h->size = (uint64_t)st.f_blocks * st.f_frsize;
}

/* The numbers in struct health: their names as heads of messages and as metrics. */
static const struct number {
	const char *head, *metric, *type, *help;
	size_t at;
} numbers[] = {
	{"began", "dtrace_fleet_agent_start_time_seconds", "gauge", "When the agent started.",
	 offsetof(struct health, began)},
	{"runs", "dtrace_fleet_agent_runs", "gauge", "Active runs.", offsetof(struct health, runs)},
	{"started", "dtrace_fleet_agent_started_total", "counter", "Runs that were started.",
	 offsetof(struct health, started)},
	{"refused", "dtrace_fleet_agent_refused_total", "counter", "Requests that were refused.",
	 offsetof(struct health, refused)},
	{"errors", "dtrace_fleet_agent_errors_total", "counter",
	 "Errors that the agent has written to its log.", offsetof(struct health, errors)},
	{"erred", "dtrace_fleet_agent_last_error_time_seconds", "gauge",
	 "Time of the last error; 0: none.", offsetof(struct health, error_at)},
	{"free", "dtrace_fleet_agent_disk_free_bytes", "gauge",
	 "Room on the disk of the agent's folder.", offsetof(struct health, free)},
	{"size", "dtrace_fleet_agent_disk_size_bytes", "gauge",
	 "Size of the disk of the agent's folder.", offsetof(struct health, size)},
};

enum { NUMBERS = sizeof(numbers) / sizeof(*numbers) };

static uint64_t value(const struct health *h, const struct number *n)
{
	uint64_t v;

	memcpy(&v, (const char *)h + n->at, sizeof(v));
	return v;
}

void health_write(struct strbuf *b, const struct health *h)
{
	for (size_t i = 0; i < NUMBERS; i++)
		message_head_number(b, numbers[i].head, value(h, &numbers[i]));
	if (*h->error)
		message_head(b, "error", h->error);
}

void health_read(struct health *h, const struct message *m)
{
	const char *error = message_get(m, "error");

	memset(h, 0, sizeof(*h));
	for (size_t i = 0; i < NUMBERS; i++) {
		uint64_t v = 0;

		if (message_number(m, numbers[i].head, &v))
			memcpy((char *)h + numbers[i].at, &v, sizeof(v));
	}
	if (error)
		set_error(h, error);
}

static void add(struct strbuf *out, const char *text)
{
	strbuf_addf(out, "%s%s", out->len ? "; " : "", text);
}

void health_problems(const struct health *h, const char *version, const char *ours, uint64_t now,
		     struct strbuf *out)
{
	if (!version || strcmp(version, ours))
		add(out, "another version");
	if (h->size && h->free / DISK_PERCENT < h->size / 100)
		add(out, "its disk is nearly full");
	if (h->error_at && h->error_at + ERROR_S > now)
		add(out, *h->error ? h->error : "an error");
}

bool health_metrics(const struct health *h, const char *version, bool connected, const char *path)
{
	struct strbuf b = {0};
	int err;

	for (size_t i = 0; i < NUMBERS; i++) {
		const struct number *n = &numbers[i];

		strbuf_addf(&b, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", n->metric, n->help,
			    n->metric, n->type, n->metric, value(h, n));
	}
	strbuf_addf(&b,
		    "# HELP dtrace_fleet_agent_connected Whether the agent has a server.\n"
		    "# TYPE dtrace_fleet_agent_connected gauge\n"
		    "dtrace_fleet_agent_connected %d\n"
		    "# HELP dtrace_fleet_agent_info The version of the agent.\n"
		    "# TYPE dtrace_fleet_agent_info gauge\n"
		    "dtrace_fleet_agent_info{version=\"%s\"} 1\n",
		    connected, version);
	err = file_replace(path, b.s, b.len, 0644, false);
	strbuf_release(&b);
	errno = err;
	return !err;
}

bool refusals_note(struct refusals *r, bool taken, const char *subject, uint64_t now,
		   struct strbuf *line)
{
	if (taken) {
		if (r->logged && now - r->last > CALM_NS) {
			r->logged = r->count = 0;
			strbuf_adds(line, "the server takes messages again");
		}
		return false;
	}
	r->last = now;
	r->count++;
	if (r->logged && now - r->logged < AGAIN_NS)
		return false;
	strbuf_addf(line,
		    "the server did not take messages (%" PRIu64
		    " so far): there is no stream (dtrace-fleet setup and expect create streams), "
		    "no right or no room for %s",
		    r->count, subject);
	r->logged = now;
	r->count = 0;
	return true;
}
