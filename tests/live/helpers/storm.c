/*
 * storm.c - opens many TCP connections over the loopback device, all from one known process.
 *
 * usage: storm connect COUNT PORT     COUNT connections from four threads (two IPv4, two
 *                                     IPv6) to PORT..PORT+3, beside a flood of datagrams
 *        storm refuse ADDRESS PORT COUNT    COUNT attempts to connect to a port without a
 *                                           listener
 *
 * It prints a line "ADDRESS LOCAL-PORT REMOTE-PORT" for each connection or attempt. LOCAL-PORT is 0
 * if it is not known.
 */
#include <err.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "address.h"

#define THREADS 4

struct lane {
	const char *address;
	uint16_t port;
	int count, listener;
	uint16_t *local; /* port of the client for each connection */
};

static volatile bool done;

static uint16_t local_port(int s)
{
	union address a;
	socklen_t len = sizeof(a);

	if (getsockname(s, &a.any, &len))
		err(1, "getsockname");
	return ntohs(a.v4.sin_port);
}

/*
 * Accepts connections, and closes each after the client has closed it, so that the client's end
 * goes to TIME_WAIT.
 */
static void *accept_all(void *arg)
{
	struct lane *l = arg;
	char c;

	for (int i = 0; i < l->count; i++) {
		int s = accept(l->listener, NULL, NULL);

		if (s < 0)
			err(1, "accept");
		if (read(s, &c, 1) != 0)
			errx(1, "no end of file");
		close(s);
	}
	return NULL;
}

static void *connect_all(void *arg)
{
	struct lane *l = arg;
	union address to;
	socklen_t len = fill(&to, l->address, l->port);

	for (int i = 0; i < l->count; i++) {
		int s = socket(to.any.sa_family, SOCK_STREAM, 0);

		if (s < 0 || connect(s, &to.any, len))
			err(1, "connect");
		l->local[i] = local_port(s);
		close(s);
	}
	return NULL;
}

static void *flood(void *arg)
{
	static const char data[100];
	union address to;
	socklen_t len = fill(&to, "127.0.0.1", 9);
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	(void)arg;
	while (!done) {
		/*
		 * There is no receiver, so every other send fails with the error that the previous
		 * one caused.
		 */
		if (sendto(s, data, sizeof(data), 0, &to.any, len) < 0 && errno != ECONNREFUSED)
			err(1, "sendto");
		usleep(20);
	}
	close(s);
	return NULL;
}

static int listen_at(const char *address, uint16_t port)
{
	union address at;
	socklen_t len = fill(&at, address, port);
	int s = socket(at.any.sa_family, SOCK_STREAM, 0);

	if (s < 0 || bind(s, &at.any, len) || listen(s, 1024))
		err(1, "listen");
	return s;
}

static void storm(int count, uint16_t port)
{
	pthread_t client[THREADS], server[THREADS], noise;
	struct lane lane[THREADS];

	for (int i = 0; i < THREADS; i++) {
		lane[i] = (struct lane){.address = i % 2 ? "::1" : "127.0.0.1",
					.port = port + i,
					.count = count / THREADS};
		lane[i].listener = listen_at(lane[i].address, lane[i].port);
		lane[i].local = calloc(lane[i].count, sizeof(uint16_t));
		if (!lane[i].local || pthread_create(&server[i], NULL, accept_all, &lane[i]))
			errx(1, "thread");
	}
	if (pthread_create(&noise, NULL, flood, NULL))
		errx(1, "thread");
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&client[i], NULL, connect_all, &lane[i]))
			errx(1, "thread");
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(client[i], NULL);
		pthread_join(server[i], NULL);
		for (int j = 0; j < lane[i].count; j++)
			printf("%s %u %u\n", lane[i].address, lane[i].local[j], lane[i].port);
		free(lane[i].local);
		close(lane[i].listener);
	}
	done = true;
	pthread_join(noise, NULL);
}

/*
 * Makes @count attempts to connect, and fails unless each is refused. Every second attempt binds
 * its port before it connects, because the port of a refused connection cannot be read afterwards.
 */
static void refuse(const char *address, uint16_t port, int count)
{
	union address to, from;
	socklen_t len = fill(&to, address, port);

	for (int i = 0; i < count; i++) {
		int s = socket(to.any.sa_family, SOCK_STREAM, 0);

		fill(&from, to.any.sa_family == AF_INET ? "0.0.0.0" : "::", 10000 + i);
		if (i % 2 && bind(s, &from.any, len))
			err(1, "bind");
		if (connect(s, &to.any, len) == 0 || errno != ECONNREFUSED)
			err(1, "connect");
		printf("%s %d %u\n", address, i % 2 ? 10000 + i : 0, port);
		close(s);
	}
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "connect"))
		storm(atoi(argv[2]), atoi(argv[3]));
	else if (argc == 5 && !strcmp(argv[1], "refuse"))
		refuse(argv[2], atoi(argv[3]), atoi(argv[4]));
	else
		errx(2, "usage: see the top of storm.c");
	return 0;
}
