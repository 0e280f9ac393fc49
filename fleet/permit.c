/* permit.c - users in nats-server's configuration. */
#include "fleet/permit.h"

#include "base/strbuf.h"
#include "fleet/message.h"
#include "fleet/net.h"

#define API "$JS.API.CONSUMER"

void permit_host(struct strbuf *out, const char *host)
{
	struct strbuf s = {0};

	subject_host(&s, host);
	strbuf_addf(out, "{ user: \"%s\", permissions: {\n", host);
	strbuf_addf(out,
		    "\tpublish: [\"" BUCKET_HOSTS "host.%s.*\", \"fleet.state.*.%s.*.*\", "
		    "\"fleet.out.*.%s.*.*\", \"fleet.history.*.%s.*\",\n",
		    s.s, s.s, s.s, s.s);
	strbuf_adds(out, "\t\t\"" API ".CREATE." STREAM_RUNS "\", \"" API ".INFO." STREAM_RUNS
			 ".*\", \"" API ".DELETE." STREAM_RUNS ".*\", \"" API
			 ".MSG.NEXT." STREAM_RUNS ".*\"],\n");
	strbuf_addf(out,
		    "\tsubscribe: [\"fleet.run.*\", \"fleet.stop.*.*\", \"_INBOX_%s.>\"] } }\n",
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
	may_read(out, STREAM_STATE);
	may_read(out, STREAM_OUT);
	may_read(out, STREAM_HOSTS);
	may_read(out, STREAM_HISTORY);
	strbuf_adds(out, "],\n\tsubscribe: [\"_INBOX.>\"] } }\n");
}

void permit_admin(struct strbuf *out, const char *name)
{
	strbuf_addf(out, "{ user: \"%s\", permissions: {\n", name);
	strbuf_adds(out, "\tpublish: [\"$JS.API.>\", \"" BUCKET_HOSTS
			 "plan.>\"],\n\tsubscribe: [\"_INBOX.>\"] } }\n");
}
