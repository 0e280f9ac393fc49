/*
 * preempt.c - processes that preempt each other while they send.
 *
 * usage: preempt PROCESSES SENDS
 *
 * Process K is named "sender-K". It sends SENDS datagrams of 100 + K bytes to port 7100 + K, each
 * from a socket of its own that is bound to port 7000 + K. Every other process has a real-time
 * priority and sleeps between its sends, so that it preempts the others while they send.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in loopback(unsigned port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static int bound(unsigned port)
{
	struct sockaddr_in a = loopback(port);
	int s = socket(AF_INET, SOCK_DGRAM, 0), on = 1;

	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (s < 0 || bind(s, (struct sockaddr *)&a, sizeof(a)))
		err(1, "port %u", port);
	return s;
}

static void send_all(unsigned k, unsigned n)
{
	struct sched_param rt = {.sched_priority = (int)k + 1};
	struct timespec nap = {0, 20000 + 7000 * k};
	struct sockaddr_in to = loopback(7100 + k);
	static char data[200];
	char name[32];

	snprintf(name, sizeof(name), "sender-%u", k);
	prctl(PR_SET_NAME, name);
	if (k % 2 && sched_setscheduler(0, SCHED_FIFO, &rt))
		err(1, "sched_setscheduler");
	for (unsigned i = 0; i < n; i++) {
		int s = bound(7000 + k);

		if (sendto(s, data, 100 + k, 0, (struct sockaddr *)&to, sizeof(to)) < 0)
			err(1, "sendto");
		close(s);
		if (k % 2)
			nanosleep(&nap, NULL);
	}
}

int main(int argc, char **argv)
{
	unsigned procs, n;
	int status, bad = 0;

	if (argc != 3)
		errx(2, "usage: preempt PROCESSES SENDS");
	procs = strtoul(argv[1], NULL, 10);
	n = strtoul(argv[2], NULL, 10);
	for (unsigned k = 0; k < procs; k++)
		bound(7100 + k); /* a receiver, so that the sender gets no errors */
	for (unsigned k = 0; k < procs; k++) {
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (!pid) {
			send_all(k, n);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		bad |= status;
	return bad != 0;
}
