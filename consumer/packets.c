/*
 * packets.c - what becomes of packets that pcap() recorded: a capture file, or what
 * tshark says of them.
 *
 * The format is libpcap's with nanoseconds, as a file and as what tshark is given.
 */
#include "consumer/packets.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "ir/program.h"

#define NANOSECONDS 0xa1b23c4du
#define SNAPLEN     262144u
#define DLT_RAW     12 /* what the program calls it; */
#define LINK_RAW    101 /* what files do */

extern char **environ;

static void add32(struct strbuf *b, uint32_t v)
{
	strbuf_add(b, &v, sizeof(v));
}

static void add_heading(struct strbuf *b, uint32_t link)
{
	const uint16_t version[] = {2, 4};

	add32(b, NANOSECONDS);
	strbuf_add(b, version, sizeof(version));
	add32(b, 0);
	add32(b, 0);
	add32(b, SNAPLEN);
	add32(b, link == DLT_RAW ? LINK_RAW : link);
}

static void add_packet(struct strbuf *b, const struct packet_slot *pk)
{
	add32(b, (uint32_t)(pk->time / 1000000000));
	add32(b, (uint32_t)(pk->time % 1000000000));
	add32(b, pk->len);
	add32(b, pk->wire > pk->len ? pk->wire : pk->len);
	strbuf_add(b, pk + 1, pk->len);
}

int packets_write(struct packets *p, struct strbuf *out, const struct packet_slot *pk, bool empty)
{
	if (p->in_file && p->link != pk->link)
		return EINVAL;
	if (!p->in_file && empty)
		add_heading(out, pk->link);
	p->in_file = true;
	p->link = pk->link;
	add_packet(out, pk);
	return 0;
}

void packets_new_file(struct packets *p)
{
	p->in_file = false;
}

/* ---------------------------------------------------------------------- tshark */

static void write_all(int fd, const struct strbuf *b)
{
	for (size_t at = 0; at < b->len;) {
		ssize_t n = write(fd, b->s + at, b->len - at);

		if (n < 0 && errno != EINTR)
			return; /* it is gone: what it says of that is on the terminal */
		at += n > 0 ? (size_t)n : 0;
	}
}

/* In a group of its own: Ctrl-C is for us, who tell it when it is over. */
static int start_tshark(struct decoder *d, int in, int out)
{
	static const char *const argv[] = {"tshark", "-l", "-n", "-r", "-", NULL};
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t attr;
	sigset_t usual;
	int err;

	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&fa, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&fa, STDERR_FILENO, "/dev/null", O_WRONLY, 0); /* that we are root */
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	err = posix_spawnp(&d->pid, argv[0], &fa, &attr, (char *const *)(uintptr_t)argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&fa);
	return err;
}

static int open_decoder(struct packets *p, uint32_t link, int out)
{
	struct decoder d = {.link = link};
	struct strbuf b = {0};
	int fd[2], err;

	if (pipe2(fd, O_CLOEXEC))
		return errno;
	err = start_tshark(&d, fd[0], out);
	close(fd[0]);
	if (err) {
		close(fd[1]);
		return err;
	}
	d.fd = fd[1];
	add_heading(&b, link);
	write_all(d.fd, &b);
	strbuf_release(&b);
	vec_push(&p->decoder, d);
	return 0;
}

static struct decoder *decoder_of(struct packets *p, uint32_t link)
{
	for (size_t i = 0; i < p->decoder.n; i++)
		if (p->decoder.v[i].link == link)
			return &p->decoder.v[i];
	return NULL;
}

int packets_show(struct packets *p, int out, const struct packet_slot *pk)
{
	struct strbuf b = {0};
	int err = decoder_of(p, pk->link) ? 0 : open_decoder(p, pk->link, out);

	if (err)
		return err;
	add_packet(&b, pk);
	write_all(decoder_of(p, pk->link)->fd, &b);
	strbuf_release(&b);
	return 0;
}

void packets_finish(struct packets *p)
{
	for (size_t i = 0; i < p->decoder.n; i++) {
		close(p->decoder.v[i].fd);
		while (waitpid(p->decoder.v[i].pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	vec_free(&p->decoder);
}
