/* health.h - the health of an agent: numbers and errors, for the inventory and for Prometheus. */
#ifndef FLEET_STATUS_HEALTH_H
#define FLEET_STATUS_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

struct message;
struct strbuf;

enum { HEALTH_ERROR_MAX = 200 };

struct health {
	uint64_t began;    /* when the agent started, in seconds since 1970; 0 if unknown */
	uint64_t runs;     /* number of runs that are active now */
	uint64_t started;  /* number of runs that began since the agent started */
	uint64_t refused;  /* number of requests that were refused since the agent started */
	uint64_t errors;   /* number of errors since the agent started */
	uint64_t error_at; /* time of the last error, in seconds since 1970; 0 if there was none */
	char error[HEALTH_ERROR_MAX + 1]; /* text of the last error */
	/*
	 * free bytes and size of the disk with the agent's folder, in bytes; @size is 0 if unknown
	 */
	uint64_t free, size;
};

/* Counts an error, and stores the first line of @text, made safe to print. */
void health_error(struct health *h, const char *text);

/* Stores the size of the disk with the folder @dir, and how much of it is free. */
void health_look(struct health *h, const char *dir);

/* Appends @h as heads of a message. */
void health_write(struct strbuf *b, const struct health *h);

/* Reads the heads that health_write() wrote. A number that is missing or malformed becomes 0. */
void health_read(struct health *h, const struct message *m);

/*
 * Appends the problems of an agent at time @now, in seconds since 1970, as a text. Appends nothing
 * if the agent is well. @version is the version of the agent, and @ours is that of this program.
 */
void health_problems(const struct health *h, const char *version, const char *ours, uint64_t now,
		     struct strbuf *out);

/*
 * Replaces the file @path by the health in Prometheus's text format, for node_exporter's textfile
 * collector. All users may read the file. @connected is whether the agent is connected to a server.
 * Returns false, with the error in errno, on failure.
 */
bool health_metrics(const struct health *h, const char *version, bool connected, const char *path);

/* The messages that the server has refused, which the agent logs once a minute. */
struct refusals {
	uint64_t last; /* time of the last refusal, ns since boot */
	/* time of the last line about a refusal, ns since boot; 0 if the server takes messages */
	uint64_t logged;
	uint64_t count; /* number of refusals since that line */
};

/*
 * Notes whether the server has taken a message to @subject at time @now, ns since boot. Appends a
 * text to @line if the agent must log one: at the first refusal, then once a minute, and when the
 * server takes messages again. Returns whether the text reports a refusal.
 */
bool refusals_note(struct refusals *r, bool taken, const char *subject, uint64_t now,
		   struct strbuf *line);

#endif
