/*
 * fuzz_fleet.c - passes any bytes to the parsers of dtrace-fleet: policies, messages from the
 * server (answers of hosts, output, requests), and messages of a messenger.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "fleet/audit.h"
#include "fleet/inventory.h"
#include "fleet/message.h"
#include "fleet/viewer/newest.h"
#include "fleet/host/messenger.h"
#include "fleet/host/policy.h"
#include "fleet/request.h"

static void as_answers(const uint8_t *data, size_t size)
{
	struct hosts h = {0};
	struct strbuf out = {0};
	const struct report_key key = {"h", "1", 1};
	size_t half = size / 2;

	hosts_receive(&h, "r", &key, data, size);
	hosts_receive(&h, "r", &key, data, half);
	hosts_receive(&h, "r", &key, data + half, size - half);
	hosts_lines(&h, &key, 0, (const char *)data, half, &out);
	hosts_lines(&h, &key, half / 2, (const char *)data, size - half, &out);
	if (hosts_get(&h, &key)->shown > size)
		abort();
	hosts_release(&h);
	strbuf_release(&out);
}

static void as_request(const uint8_t *data, size_t size)
{
	struct message m;
	struct request q;
	struct strbuf b = {0};

	if (message_parse(&m, data, size) && !request_read(&q, &m)) {
		if (!is_run_id(q.id) || strlen(q.program) != m.len)
			abort();
		request_write(&b, &q);
	}
	message_release(&m);
	strbuf_release(&b);
}

static void as_entry(const uint8_t *data, size_t size)
{
	struct message m;
	struct audit_entry e;
	struct strbuf b = {0};

	if (message_parse(&m, data, size) && audit_read(&e, &m, "fleet.audit.h")) {
		if (strcmp(e.host, "h"))
			abort();
		audit_line(&b, &e, 1);
		if (strcspn(b.s, "\n") + 1 != b.len || strchr(b.s, '\x1b'))
			abort();
	}
	message_release(&m);
	strbuf_release(&b);
}

/*
 * Reads the bytes as a message of a messenger to the agent. A request that the agent takes must
 * have a valid signature.
 */
static void as_member(const uint8_t *data, size_t size)
{
	struct rpc_in in = {data, data + size, false};
	struct strbuf sealed = {0};
	struct signed_request r;
	struct arena mem;

	arena_init(&mem);
	if (request_take(&in, &mem, &r, &sealed) && !is_run_id(r.q.id))
		abort();
	arena_release(&mem);
	strbuf_release(&sealed);
}

static void as_inventory(const uint8_t *data, size_t size)
{
	static const char *const key[] = {"$KV.FLEET_HOSTS.host.h.1", "$KV.FLEET_HOSTS.plan.h.1"};
	struct inventory in = {0};

	for (int i = 0; i < 2; i++)
		if (inventory_take(&in, key[i], data, size, 1) && strcmp(in.v.v[0].host, "h"))
			abort();
	inventory_release(&in);
}

static void as_policy(const uint8_t *data, size_t size)
{
	struct strbuf text = {0}, wrong = {0};
	struct policy p;

	strbuf_add(&text, data, size);
	strbuf_addc(&text, '\0');
	if (policy_parse(&p, text.s, &wrong)) {
		policy_replay(&p, "/var/x.pcap");
	} else if (!wrong.len) {
		abort();
	}
	policy_release(&p);
	strbuf_release(&text);
	strbuf_release(&wrong);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	as_answers(data, size);
	as_request(data, size);
	as_entry(data, size);
	as_member(data, size);
	as_inventory(data, size);
	as_policy(data, size);
	return 0;
}
