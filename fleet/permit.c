/* permit.c - users in nats-server's configuration. */
#include "fleet/permit.h"

#include <string.h>

#include "base/strbuf.h"
#include "fleet/message.h"
#include "fleet/nats/net.h"

#define API "$JS.API"

/*
 * Ends of the subjects to which hosts send requests to read the stream STREAM_RUNS (direct.h). In
 * the account of hosts, these subjects begin with API_HOSTS. In the account of the streams, they
 * begin with API.
 */
static const char *const of_runs[] = {
	".STREAM.INFO." STREAM_RUNS,
	".DIRECT.GET." STREAM_RUNS,
};

/* Subjects of the messages that hosts send, and of the messages that hosts receive. */
static const char *const sent[] = {"fleet.state.*.*.*.*", "fleet.out.*.*.*.*",
				   BUCKET_HOSTS "host.*.*", "fleet.history.*.*.*", "fleet.audit.*"};
static const char *const received[] = {NEWS ".>"};

/*
 * Subjects that viewers may send to: requests to hosts, and JetStream's requests to read streams.
 */
#define READ(stream) \
	API ".STREAM.INFO." stream, API ".CONSUMER.CREATE." stream, \
		API ".CONSUMER.INFO." stream ".*", API ".CONSUMER.DELETE." stream ".*", \
		API ".CONSUMER.MSG.NEXT." stream ".*"
static const char *const of_viewers[] = {
	"fleet.run.*",        "fleet.stop.*.*",   READ(STREAM_RUNS),   READ(STREAM_HOSTS),
	READ(STREAM_HISTORY), READ(STREAM_AUDIT), API ".STREAM.NAMES", API ".DIRECT.GET.*",
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

void permit_host(struct strbuf *out, const char *host)
{
	struct strbuf s = {0};

	subject_host(&s, host);
	strbuf_addf(out, "{ user: \"%s\", permissions: {\n", host);
	strbuf_addf(out,
		    "\tpublish: [\"" BUCKET_HOSTS "host.%s.*\", \"fleet.state.*.%s.*.*\", "
		    "\"fleet.out.*.%s.*.*\", \"fleet.history.*.%s.*\", \"fleet.audit.%s\"",
		    s.s, s.s, s.s, s.s, s.s);
	for (size_t i = 0; i < COUNT(of_runs); i++)
		strbuf_addf(out, ",\n\t\t\"" API_HOSTS "%s\"", of_runs[i]);
	strbuf_addf(out, "],\n\tsubscribe: [\"" NEWS ".>\", \"_INBOX_%s.>\"] } }\n", s.s);
	strbuf_release(&s);
}

/* Returns the part of @subject that follows API, or NULL if it does not begin with API. */
static const char *of_api(const char *subject)
{
	return strncmp(subject, API, strlen(API)) ? NULL : subject + strlen(API);
}

/*
 * The server renames subjects (add_mappings()) before it checks permissions. So viewers need
 * permission for both the original and the renamed subjects.
 */
void permit_viewer(struct strbuf *out, const char *name)
{
	strbuf_addf(out, "{ user: \"%s\", permissions: {\n\tpublish: [", name);
	for (size_t i = 0; i < COUNT(of_viewers); i++)
		strbuf_addf(out, "%s\"%s\"", !i ? "" : i % 2 ? ", " : ",\n\t\t", of_viewers[i]);
	for (size_t i = 0; i < COUNT(of_viewers); i++)
		if (of_api(of_viewers[i]))
			strbuf_addf(out, "%s\"" API_HOSTS "%s\"", i % 2 ? ", " : ",\n\t\t",
				    of_api(of_viewers[i]));
	strbuf_adds(out, "],\n\tsubscribe: [\"_INBOX.>\"] } }\n");
}

void permit_admin(struct strbuf *out, const char *name)
{
	strbuf_addf(out, "{ user: \"%s\", permissions: {\n", name);
	strbuf_adds(out, "\tpublish: [\"$JS.API.>\", \"" BUCKET_HOSTS
			 "plan.>\"],\n\tsubscribe: [\"_INBOX.>\"] } }\n");
}

/* Appends the account of hosts, which imports the subjects that hosts use. */
static void add_hosts(struct strbuf *out, const char *users)
{
	strbuf_addf(out, "HOSTS {\nusers: [\n%s]\nimports: [\n", users);
	for (size_t i = 0; i < COUNT(received); i++)
		strbuf_addf(out, "{ stream: { account: FLEET, subject: \"%s\" } }\n", received[i]);
	for (size_t i = 0; i < COUNT(sent); i++)
		strbuf_addf(out, "{ service: { account: FLEET, subject: \"%s\" } }\n", sent[i]);
	for (size_t i = 0; i < COUNT(of_runs); i++)
		strbuf_addf(out,
			    "{ service: { account: FLEET, subject: \"" API "%s\" }, to: "
			    "\"" API_HOSTS "%s\" }\n",
			    of_runs[i], of_runs[i]);
	strbuf_adds(out, "] }\n");
}

/*
 * Renames the subjects of the requests that viewers send to JetStream. Otherwise the server would
 * answer a request twice, and its first answer would be that the viewers' account has no streams.
 */
static void add_mappings(struct strbuf *out)
{
	strbuf_adds(out, "mappings: {\n");
	for (size_t i = 0; i < COUNT(of_viewers); i++) {
		const char *rest = of_api(of_viewers[i]);
		int len = rest ? (int)strcspn(rest, "*") : 0;

		if (rest)
			strbuf_addf(out, "\"%s\": \"" API_HOSTS "%.*s%s\"\n", of_viewers[i], len,
				    rest, rest[len] ? "$1" : "");
	}
	strbuf_adds(out, "}\n");
}

/* Appends the account of viewers, which imports the subjects that viewers send to. */
static void add_viewers(struct strbuf *out, const char *users)
{
	strbuf_addf(out, "VIEWERS {\nusers: [\n%s]\n", users);
	add_mappings(out);
	strbuf_adds(out, "imports: [\n");
	for (size_t i = 0; i < COUNT(of_viewers); i++) {
		const char *rest = of_api(of_viewers[i]);

		strbuf_addf(out, "{ service: { account: FLEET, subject: \"%s\" }", of_viewers[i]);
		if (rest)
			strbuf_addf(out, ", to: \"" API_HOSTS "%s\"", rest);
		strbuf_adds(out, " }\n");
	}
	strbuf_adds(out, "] }\n");
}

/*
 * Appends the account of the streams, which exports each subject once. It need not export the
 * requests of hosts to JetStream, because viewers may send the same requests.
 */
static void add_streams(struct strbuf *out, const char *users)
{
	strbuf_addf(out, "FLEET {\njetstream: enabled\nusers: [\n%s]\nexports: [\n", users);
	for (size_t i = 0; i < COUNT(received); i++)
		strbuf_addf(out, "{ stream: \"%s\" }\n", received[i]);
	for (size_t i = 0; i < COUNT(sent); i++)
		strbuf_addf(out, "{ service: \"%s\" }\n", sent[i]);
	for (size_t i = 0; i < COUNT(of_viewers); i++)
		strbuf_addf(out, "{ service: \"%s\"%s }\n", of_viewers[i],
			    strstr(of_viewers[i], ".MSG.NEXT.") ? ", response: stream" : "");
	strbuf_adds(out, "] }\n");
}

void permit_accounts(struct strbuf *out, const char *hosts, const char *viewers, const char *admins)
{
	strbuf_adds(out, "accounts {\n");
	add_hosts(out, hosts);
	add_viewers(out, viewers);
	add_streams(out, admins);
	strbuf_adds(out, "}\n");
}
