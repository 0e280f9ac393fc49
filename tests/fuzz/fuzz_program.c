/*
 * fuzz_program.c - runs whole D programs on any bytes as a capture, in every output format.
 *
 * The first byte of the input chooses a program, the second an output format, and the third options
 * of the replay and of the output. The rest is the capture. The output must be safe on a terminal:
 * valid UTF-8 without control characters, for any names in the capture.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "compiler/builtins/lang.h"
#include "compiler/compile.h"
#include "consumer/consumer.h"
#include "consumer/oformat/oformat.h"
#include "engine/replay/source.h"
#include "engine/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Typical programs for captures. Each has a probe that fires with the captures among the seeds. */
static const char *const texts[] = {
	/* reads headers of all packets, including bytes that were not captured */
	"ip:::send, ip:::receive { printf(\"%s %s %d %d\\n\", args[2]->ip_saddr, args[2]->ip_daddr,"
	" args[2]->ip_plength, args[4]->ipv4_ttl); @[probename, args[3]->if_name] = count();"
	" trace(args[5]->ipv6_hlim); @q[args[2]->ip_ver] = quantize(args[2]->ip_plength); }",
	/* reads connections, their owners, and stacks */
	"tcp:::state-change { @[args[1]->cs_execname, args[1]->cs_pid, args[3]->tcps_raddr] ="
	" count(); print(args[3]->tcps_rport); printf(\"%S|%s\\n\", args[1]->cs_execname,"
	" args[1]->cs_psargs); } tcp:::send, tcp:::receive { @s[args[4]->tcp_flags] ="
	" sum(args[4]->tcp_window); stack(); @k[stack()] = count(); }",
	/* follows the life of a connection; shows and clears aggregations */
	"tcp:::connect-*, tcp:::accept-*, tcp:::state-change, tcp:::destroy {"
	" @[probename, args[3]->tcps_lport, args[3]->tcps_rport] = count();"
	" @l = llquantize(timestamp, 10, 0, 6, 20); @a = avg(timestamp); @d = stddev(timestamp); }"
	" tick-1s { printa(@); clear(@); trunc(@l, 2); normalize(@a, 3); }",
	/* reads names that are in packets */
	"dns:::query, dns:::response { printf(\"%s %s %d %s\\n\", args[4]->dns_name,"
	" args[4]->dns_typestr, args[4]->dns_rcode, args[4]->dns_rcodestr); "
	"trace(args[4]->dns_name);"
	" @[args[4]->dns_name, args[1]->cs_execname] = count(); @m = max(timestamp); }",
	/* reads datagrams; remembers packets in associative arrays */
	"udp:::send { at[args[4]->udp_sport, args[2]->ip_saddr] = timestamp; } udp:::receive"
	" /at[args[4]->udp_sport, args[2]->ip_saddr]/ { @[args[2]->ip_saddr] = lquantize(timestamp "
	"-"
	" at[args[4]->udp_sport, args[2]->ip_saddr], 0, 1000000, 10000); self->n++; }"
	" udp:::receive, icmp:::receive { s = strjoin(args[2]->ip_saddr, probename);"
	" @n[s, strlen(s)] = sum(args[2]->ip_plength); }",
	/* reads bytes after the headers, which may be missing and then cause a fault */
	"rawtp:::netif_receive_skb { this->s = (struct sk_buff *)arg0;"
	" tracemem(this->s->head, 64); printf(\"%02x\\n\", *(uint8_t *)(this->s->head + 70));"
	" @[*(uint32_t *)this->s->data] = count(); } ERROR { @e[arg4] = count(); }",
	/* uses speculations, and an exit() that ends the run */
	"ip:::receive { self->id = speculation(); speculate(self->id); printf(\"%d\\n\","
	" args[2]->ip_plength); } tcp:::receive /args[4]->tcp_flags & 1/ { commit(self->id); }"
	" udp:::receive { discard(self->id); } ip:::receive /n++ > 200/ { exit(n); }",
	/* uses counters, and hooks of replay itself */
	"mib::: { @[probename] = sum(arg0); @l = min(arg0); } icmp::: { "
	"trace(args[4]->icmp_type);"
	" @i[args[4]->icmp_type, args[4]->icmp_code] = count(); } replay:::owner { @o[execname] = "
	"count(); }",
};

#define SAMPLES "profile:::tick-1000000000ns { __sample(); }"

static const char *const names[] = {"text",     "json",     "csv",     "prometheus", "libxo-json",
				    "xml",      "html",     "folded",  "flame",      "heat",
				    "heat-svg", "hist-svg", "time-svg"};

/*
 * The compiled programs of each text: with and without samples (formats over time need samples),
 * and with and without times in records (some formats print the times).
 */
static struct compiled {
	struct compiler *c; /* owns the program */
	struct program *p;
	struct diag d;
} compiled[COUNT(texts)][2][2];

static void die(const char *what, struct diag *d)
{
	struct strbuf text = {0};

	if (d)
		diag_text(d, true, &text);
	fprintf(stderr, "%s: %s\n", what, text.s ? text.s : "");
	abort();
}

static void add(struct compiled *k, const char *text, enum src_kind kind)
{
	struct src *src = xcalloc(1, sizeof(*src)); /* lives as long as the compiler */
	struct parse_opts o = {.right = PD_RIGHT_NAME, .lib = kind == SRC_LIB};
	unsigned matched;

	*src = (struct src){kind, "fuzz", text, strlen(text), false};
	if (compiler_add(k->c, src, &o, &matched, NULL))
		die("cannot compile", &k->d);
}

/* Returns the program for text number @text. Compiles the program when the first input needs it. */
static const struct program *program(unsigned text, bool sampled, bool timed)
{
	struct compiled *k = &compiled[text][sampled][timed];
	struct compile_opts o = {.lang = dtrace_lang(),
				 .replay = true,
				 .timed = timed,
				 .nspec = 17};

	if (k->p)
		return k->p;
	k->c = compiler_new(&o, &k->d);
	if (!k->c)
		die("no compiler", &k->d);
	add(k, texts[text], SRC_CMDLINE);
	if (sampled)
		add(k, SAMPLES, SRC_LIB);
	k->p = compiler_finish(k->c, NULL);
	if (!k->p)
		die("no program", &k->d);
	return k->p;
}

/* Checks that a line is safe on a terminal: no character of it needs an escape. */
static void check_line(const char *line, size_t n, const char *what)
{
	static struct strbuf seen;

	strbuf_reset(&seen);
	visible_add(&seen, line, n);
	if (seen.len == n)
		return;
	fprintf(stderr, "%s: shown as it is, not as %s\n", what, seen.s);
	fwrite(line, 1, n, stderr);
	abort();
}

/* Checks the output line by line. Only the program or the format may print line breaks and tabs. */
static void check_text(const char *s, size_t n, const char *what)
{
	for (const char *end = s + n, *at; s < end; s = at + 1) {
		for (at = s; at < end && *at != '\n' && *at != '\t'; at++)
			continue;
		check_line(s, (size_t)(at - s), what);
	}
}

static struct source *source_of(const char *path, uint8_t how)
{
	static const char *const local[] = {NULL, "auto", "192.0.2.0/24", "none"};
	struct replay_opts r = {.path = path,
				.local = local[how & 3],
				.conns = how & 4 ? 16 : 0,
				.mode = how & 8 ? VM_CHECKED : VM_NATIVE,
				.jobs = 1};

	return replay_source_new(&r);
}

struct texts {
	char *s;
	size_t n;
	FILE *f;
};

static void open_text(struct texts *t)
{
	t->f = open_memstream(&t->s, &t->n);
	if (!t->f)
		abort();
}

static void close_text(struct texts *t, const char *what)
{
	if (fclose(t->f))
		abort();
	check_text(t->s, t->n, what);
	free(t->s);
}

static void replay(const struct program *p, const struct oformat_ops *form, uint8_t how,
		   const char *path)
{
	struct texts out, err;
	volatile sig_atomic_t interrupted = 0;
	struct consumer_opts o = {.oformat = form,
				  .footer = true,
				  .nohint = true,
				  .pretty = how & 32,
				  .aggpack = how & 64,
				  .quiet = how & 128};
	struct diag d = {0};
	struct source *s = source_of(path, how);
	struct consumer *c;

	open_text(&out);
	open_text(&err);
	o.out = out.f;
	o.err = err.f;
	if (s->ops->start(s, p, &d)) {
		s->ops->free(s);
		goto out;
	}
	c = consumer_new(p, s, &o);
	consumer_run(c, &d, &interrupted);
	consumer_free(c);
	s->ops->free(s);
out:
	if (d.nerr) {
		struct strbuf text = {0};

		diag_text(&d, false, &text);
		fwrite(text.s, 1, text.len, err.f);
		strbuf_release(&text);
	}
	diag_release(&d);
	close_text(&out, form->name);
	close_text(&err, "messages");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct oformat_ops *form;
	char path[64];
	int fd;

	if (size < 3)
		return 0;
	form = oformat_find(names[data[1] % COUNT(names)]);
	if (!form)
		die("no form", NULL);
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data + 3, size - 3) != (ssize_t)(size - 3))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	replay(program(data[0] % COUNT(texts), form->sample != NULL, form->timed), form, data[2],
	       path);
	close(fd);
	return 0;
}
