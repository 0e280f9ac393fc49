/* packets.c - writes the packets of pcap() and -x capture. */
#include "consumer/packets.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "consumer/values/datum.h"
#include "consumer/outside.h"
#include "ir/program.h"

/*
 * The direction of packets, by the name of their probe. For all other probes, the direction of a
 * packet is unknown.
 */
static const struct way {
	const char *name;
	enum packet_way way;
} ways[] = {
	{"send", WAY_OUT},
	{"receive", WAY_IN},
	{"connect-request", WAY_OUT},
	{"connect-established", WAY_IN},
	{"connect-refused", WAY_IN},
	{"accept-established", WAY_IN},
	{"accept-refused", WAY_OUT},
	{"retransmit", WAY_OUT},
	{"reset-sent", WAY_OUT},
};

static enum packet_way way_of(const char *name)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(ways[i].name, name))
			return ways[i].way;
	return WAY_UNKNOWN;
}

/*
 * Reads a text about the packet, such as the name of its owner. A program that has no such text
 * has recorded a number instead. Leaves @to unchanged in this case.
 */
static void read_text(const struct program *p, const struct record *rec, const struct field *f,
		      char *to, size_t size)
{
	struct datum d = {0};

	if (f->kind != FIELD_INT) {
		datum_read(p, f, rec, &d);
		snprintf(to, size, "%.*s", (int)d.len, d.s);
	}
	datum_release(&d);
}

static int64_t read_pid(const struct program *p, const struct record *rec, const struct field *f)
{
	struct datum d = {0};
	int64_t pid;

	datum_read(p, f, rec, &d);
	pid = (int64_t)d.num;
	datum_release(&d);
	return pid;
}

void packet_read(const struct program *p, const struct record *rec, const struct action_info *act,
		 struct recorded_packet *out)
{
	const struct probe_info *probe = &p->probe[p->clause[rec->epid - 1].probe];
	const struct field *note = act->field + 1;
	struct packet_about *a = &out->about;

	*out = (struct recorded_packet){
		.slot = (const void *)((const char *)rec + act->field[0].off)};
	if (out->slot->len > act->field[0].size - sizeof(*out->slot))
		BUG("%u bytes of a packet in %u", out->slot->len, act->field[0].size);
	a->pid = read_pid(p, rec, &note[PACKET_PID]);
	a->way = way_of(probe->name);
	read_text(p, rec, &note[PACKET_NAME], a->name, sizeof(a->name));
	read_text(p, rec, &note[PACKET_USER], a->user, sizeof(a->user));
	read_text(p, rec, &note[PACKET_CGROUP], a->cgroup, sizeof(a->cgroup));
	read_text(p, rec, &note[PACKET_CONTAINER], a->container, sizeof(a->container));
	read_text(p, rec, &note[PACKET_NETNS], a->netns, sizeof(a->netns));
	read_text(p, rec, &note[PACKET_IFACE], a->iface, sizeof(a->iface));
	read_text(p, rec, &note[PACKET_REASON], a->reason, sizeof(a->reason));
	snprintf(a->probe, sizeof(a->probe), "%s:::%s", probe->prov, probe->name);
}

void packets_write(struct packets *p, struct strbuf *out, const struct recorded_packet *pk)
{
	p->in_file = true;
	pcapng_add(&p->file, out, pk->slot, &pk->about);
}

void packets_new_file(struct packets *p)
{
	p->in_file = false;
	pcapng_reset(&p->file);
}

/* ---------------------------------------------------------------------- tshark */

int packets_show(struct packets *p, struct outside *outside, const struct recorded_packet *pk)
{
	struct strbuf b = {0};
	int err = p->fd ? 0 : outside_tshark(outside, &p->fd);

	if (err) {
		p->fd = 0;
		return err;
	}
	pcapng_add(&p->tshark, &b, pk->slot, &pk->about);
	/* ignore an error: if tshark has died, it has printed a message itself */
	file_write(p->fd, b.s, b.len);
	strbuf_release(&b);
	return 0;
}

void packets_finish(struct packets *p, struct outside *outside)
{
	if (p->fd) {
		close(p->fd);
		outside_tshark_end(outside);
	}
	p->fd = 0;
	pcapng_reset(&p->tshark);
	pcapng_reset(&p->file);
}
