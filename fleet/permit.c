/* permit.c - users in nats-server's configuration. */
#include "fleet/permit.h"

#include "base/strbuf.h"
#include "fleet/message.h"
#include "fleet/net.h"

#define API "$JS.API.CONSUMER"

/* The requests that a host may send about the stream of requests, after a prefix. */
static const char *const of_runs[] = {
	".CONSUMER.CREATE." STREAM_RUNS,
	".CONSUMER.INFO." STREAM_RUNS ".*",
	".CONSUMER.DELETE." STREAM_RUNS ".*",
	".CONSUMER.MSG.NEXT." STREAM_RUNS ".*",
};

/* What hosts send to the streams, and what they receive. */
static const char *const sent[] = {"fleet.state.*.*.*.*", "fleet.out.*.*.*.*",
				   BUCKET_HOSTS "host.*.*", "fleet.history.*.*.*"};
static const char *const received[] = {"fleet.run.*", "fleet.stop.*.*"};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

void permit_host(struct strbuf *out, const char *host)
{
	struct strbuf s = {0};

	subject_host(&s, host);
	strbuf_addf(out, "{ user: \"%s\", permissions: {\n", host);
	strbuf_addf(out,
		    "\tpublish: [\"" BUCKET_HOSTS "host.%s.*\", \"fleet.state.*.%s.*.*\", "
		    "\"fleet.out.*.%s.*.*\", \"fleet.history.*.%s.*\"",
		    s.s, s.s, s.s, s.s);
	for (size_t i = 0; i < COUNT(of_runs); i++)
		strbuf_addf(out, ",\n\t\t\"" API_HOSTS "%s\"", of_runs[i]);
	strbuf_addf(out,
		    "],\n\tsubscribe: [\"fleet.run.*\", \"fleet.stop.*.*\", \"_INBOX_%s.>\"] } }\n",
		    s.s);
	strbuf_release(&s);
}

/* Appends the permissions to read a stream: to ask about it, and to make and use a consumer. */
static void may_read(struct strbuf *out, const char *stream)
{
	strbuf_addf(out,
		    ",\n\t\t\"$JS.API.STREAM.INFO.%s\", \"" API ".CREATE.%s\", \"" API
		    ".INFO.%s.*\", \"" API ".DELETE.%s.*\", \"" API ".MSG.NEXT.%s.*\"",
		    stream, stream, stream, stream, stream);
}

void permit_viewer(struct strbuf *out, const char *name)
{
	strbuf_addf(out,
		    "{ user: \"%s\", permissions: {\n\tpublish: [\"fleet.run.*\", "
		    "\"fleet.stop.*.*\"",
		    name);
	may_read(out, STREAM_RUNS);
	may_read(out, STREAM_HOSTS);
	may_read(out, STREAM_HISTORY);
	strbuf_adds(out, ",\n\t\t\"$JS.API.STREAM.NAMES\", \"$JS.API.DIRECT.GET.*\"");
	strbuf_adds(out, "],\n\tsubscribe: [\"_INBOX.>\"] } }\n");
}

void permit_admin(struct strbuf *out, const char *name)
{
	strbuf_addf(out, "{ user: \"%s\", permissions: {\n", name);
	strbuf_adds(out, "\tpublish: [\"$JS.API.>\", \"" BUCKET_HOSTS
			 "plan.>\"],\n\tsubscribe: [\"_INBOX.>\"] } }\n");
}

void permit_accounts(struct strbuf *out, const char *hosts, const char *others)
{
	strbuf_addf(out, "accounts {\nHOSTS {\nusers: [\n%s]\nimports: [\n", hosts);
	for (size_t i = 0; i < COUNT(received); i++)
		strbuf_addf(out, "{ stream: { account: FLEET, subject: \"%s\" } }\n", received[i]);
	for (size_t i = 0; i < COUNT(sent); i++)
		strbuf_addf(out, "{ service: { account: FLEET, subject: \"%s\" } }\n", sent[i]);
	for (size_t i = 0; i < COUNT(of_runs); i++)
		strbuf_addf(out,
			    "{ service: { account: FLEET, subject: \"$JS.API%s\" }, to: "
			    "\"" API_HOSTS "%s\" }\n",
			    of_runs[i], of_runs[i]);
	strbuf_addf(out, "] }\nFLEET {\njetstream: enabled\nusers: [\n%s]\nexports: [\n", others);
	for (size_t i = 0; i < COUNT(received); i++)
		strbuf_addf(out, "{ stream: \"%s\" }\n", received[i]);
	for (size_t i = 0; i < COUNT(sent); i++)
		strbuf_addf(out, "{ service: \"%s\" }\n", sent[i]);
	for (size_t i = 0; i < COUNT(of_runs); i++)
		strbuf_addf(out, "{ service: \"$JS.API%s\", response: stream }\n", of_runs[i]);
	strbuf_adds(out, "] }\n}\n");
}
