/* health.h - how an agent does: for the inventory, and for Prometheus. */
#ifndef FLEET_STATUS_HEALTH_H
#define FLEET_STATUS_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

struct message;
struct strbuf;

enum { HEALTH_ERROR_MAX = 200 };

struct health {
	uint64_t began;    /* when the agent started, in seconds since 1970; 0: unknown */
	uint64_t runs;     /* active now */
	uint64_t started;  /* runs that began since then */
	uint64_t refused;  /* requests that were refused since then */
	uint64_t errors;   /* since then */
	uint64_t error_at; /* time of the last error, in seconds since 1970; 0: none */
	char error[HEALTH_ERROR_MAX + 1];
	uint64_t free, size; /* of the disk with the agent's folder, in bytes; size 0: unknown */
};

/* Counts an error, and remembers its first line, made safe to print. */
void health_error(struct health *h, const char *text);

/* Reads the size of the disk with the folder @dir. */
void health_look(struct health *h, const char *dir);

/* Appends @h as heads of a message. */
void health_write(struct strbuf *b, const struct health *h);

/* Reads the heads that health_write() wrote. What is missing or malformed is 0. */
void health_read(struct health *h, const struct message *m);

/*
 * Appends what is wrong with an agent at time @now (seconds since 1970), as a text; nothing if it
 * is well. Its version is @version, and ours is @ours.
 */
void health_problems(const struct health *h, const char *version, const char *ours, uint64_t now,
		     struct strbuf *out);

/*
 * Replaces the file @path by the health in Prometheus's text format, for node_exporter's textfile
 * collector. All users may read the file. @connected: the agent has a server. Returns false, with
 * the error in errno, on failure.
 */
bool health_metrics(const struct health *h, const char *version, bool connected, const char *path);

/* When the server does not take messages, the agent says so once a minute. */
struct refusals {
	uint64_t last;   /* time of the last refusal, ns since boot */
	uint64_t logged; /* time of the last line about a refusal, ns since boot; 0: none is open */
	uint64_t count;  /* refusals since that line */
};

/*
 * Notes whether the server has taken a message to @subject at time @now, ns since boot. Appends the
 * line to log to @line, if there is one. Returns whether the line is about a refusal.
 */
bool refusals_note(struct refusals *r, bool taken, const char *subject, uint64_t now,
		   struct strbuf *line);

#endif
