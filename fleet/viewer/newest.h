/* newest.h - keeps the newest report of each host, even if messages are late, lost or repeated. */
#ifndef FLEET_VIEWER_NEWEST_H
#define FLEET_VIEWER_NEWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

enum phase { PHASE_ASKED, PHASE_TRACING, PHASE_ENDED, PHASE_REFUSED };

/* Why a run ended on a host. The result can be whole only after END_DONE and END_ASKED. */
enum end {
	END_NONE,   /* the run has not ended */
	END_DONE,   /* the time or the capture was over, or the program called exit(0) */
	END_ASKED,  /* the viewer ended the run */
	END_POLICY, /* the run exceeded a bound of the policy */
	END_LEASE,  /* the server was away for too long */
	END_LATE,   /* dtrace did not end when the time of the run was over */
	END_SIGNAL, /* a signal ended dtrace */
	END_FAILED, /* dtrace exited with another status than 0, or could not be started */
	END_KEEPER, /* the keeper was killed */
};

/*
 * Identifies the run on one host that a report belongs to. All three members are needed: two
 * machines may have the same name, and two agents the same ID.
 */
struct report_key {
	const char *host, *id; /* name and ID (identity.h) of the host */
	uint64_t epoch;        /* when the run began on the host, ns since 1970; 0 if it did not */
};

/*
 * The newest report of a host on a run, and what the viewer knows about the host. The viewer needs
 * no older snapshots, because snapshots are cumulative.
 */
struct host_state {
	char *host, *id;   /* @id is "" if the host was expected by its name and has not answered */
	uint64_t epoch;    /* as in struct report_key */
	size_t part;       /* number of the report's part of the run (rollout.h) */
	uint64_t sequence; /* number of the report; 0 if the host has sent none */
	uint64_t seen;     /* when the host last registered, ns since 1970; 0 if never */
	bool twin;         /* another host with the same name or ID has answered too */
	enum phase phase;
	uint64_t matched; /* number of probes that the program matches on the host */
	uint64_t out;     /* bytes of output on the host */
	uint64_t unsent;  /* bytes of output that the server does not have yet */
	uint64_t shown;   /* bytes of output that were shown */
	/*
	 * The run has several parts (rollout.h), and the host's part is over, so the viewer does
	 * not wait for this host any more.
	 */
	bool past;
	bool odd; /* the aggregations of this host differ from those of most hosts */
	enum end end;
	/* verdicts on the hosts of this relay (verdict.h); NULL if the host is no relay */
	char *members;
	char *version; /* version of the host's dtrace-fleet, safe to print; NULL if unknown */
	/* why the report lacks the newest snapshot; empty if it has it */
	struct strbuf lacks;
	const char *rejected; /* why a message did not count; NULL if all messages counted */
	struct strbuf bad;    /* why the snapshot cannot be read; empty if it can be read */
	uint64_t lost;        /* how many of the first @shown bytes of output were lost */
	uint64_t cut;         /* how many of the @lost bytes were not reported by a line yet */
	/* time of the last report, ns since boot; a host without new reports is silent */
	uint64_t heard;
	uint64_t blank;         /* number of empty lines at the end of the output so far */
	struct strbuf line;     /* output after the last line end */
	struct strbuf errors;   /* errors, as dtrace printed them */
	struct strbuf snapshot; /* aggregation file; empty if the host has sent none */
	uint32_t naggs;         /* number of aggregations in @snapshot, which may be 0 */
	bool lossy;             /* @snapshot reports losses */
};

struct hosts {
	VEC(struct host_state *) v; /* sorted by name, ID, part and epoch */
	size_t part;                /* the current part of the run; 0 if there is only one */
	uint64_t stale;             /* number of messages that arrived after a newer one */
};

/*
 * Returns the state with this key in the current part of the run. @h owns the state. If there is
 * none, gives the key to a state with epoch 0, of a host that is expected or has refused the run.
 * If there is no such state, makes an empty one. A relay has one state for each part.
 */
struct host_state *hosts_get(struct hosts *h, const struct report_key *key);

/*
 * Stores a host's report if it is well formed and newer than the current one. The report must name
 * run @run and have the key @key, which comes from the subject of the report. Returns the state of
 * the host, or NULL if the report was not stored.
 *
 * If reports or output come for very many keys with the name of one host, rejects all states of
 * that name.
 */
struct host_state *hosts_receive(struct hosts *h, const char *run, const struct report_key *key,
				 const void *data, size_t size);

/*
 * Notes that a message did not count, for the host and the run in @subject. @why is the reason, a
 * constant text.
 */
void hosts_reject(struct hosts *h, const char *subject, const char *why);

/*
 * Notes that the answer of this host does not count, because the host poses as a relay. @why is the
 * reason, a constant text. Forgets the hosts for which it claims to answer.
 */
void host_reject_relay(struct host_state *s, const char *why);

/*
 * Appends the complete lines of a piece of a host's output to @out, each after the host's name. The
 * piece has @n bytes at @p, and starts at byte @offset of the output of the run that @key names.
 *
 * Keeps an incomplete line for the next call. Omits lines that were shown before. Omits empty lines
 * at the very end, because an interrupted dtrace prints a line end. Reports output that is missing
 * before @offset as lost, because the server delivers output in order. Also reports bytes beyond 1
 * MiB in one line, and more than 1,000 empty lines in a row, as lost.
 */
void hosts_lines(struct hosts *h, const struct report_key *key, uint64_t offset, const char *p,
		 size_t n, struct strbuf *out);

/*
 * Appends the last line of each host whose output does not end with a line end. The caller calls
 * this when it has received all output.
 */
void hosts_last_lines(struct hosts *h, struct strbuf *out);

/*
 * If hosts have different numbers of probes, appends a line "HOST and N more: K probes" for each
 * number K. Ignores hosts without a snapshot.
 */
void hosts_matched(const struct hosts *h, struct strbuf *out);

/*
 * Marks hosts as twins if they have answered and have the same name or the same ID. Appends a line
 * for each pair of twins. A relay that has answered several parts of a run is not its own twin.
 */
void hosts_find_twins(struct hosts *h, struct strbuf *out);

void hosts_release(struct hosts *h);

/* Returns the word for a phase in messages and for users. */
const char *phase_name(enum phase p);

/* Returns the word for an end in messages. */
const char *end_name(enum end e);

/* Finds the end with this name. Returns false if there is none. */
bool end_find(const char *name, enum end *e);

#endif
