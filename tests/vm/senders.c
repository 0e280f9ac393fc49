/*
 * senders N COUNT: N processes s1 ... sN send COUNT datagrams each to ports 20001 ... over
 * loopback.  Half of the processes preempt the others whenever they wake.
 */
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void pause_some(unsigned i)
{
	struct timespec t = {0, 20000 + 7000 * (i % 11)};

	nanosleep(&t, NULL);
}

static void send_all(int n, int count)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sched_param prio = {.sched_priority = 1 + n};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char name[16];

	snprintf(name, sizeof(name), "s%d", n);
	prctl(PR_SET_NAME, name);
	to.sin_port = htons((uint16_t)(20000 + n));
	if (n % 2 == 0 && sched_setscheduler(0, SCHED_FIFO, &prio))
		perror("sched_setscheduler");
	for (int i = 0; i < count; i++) {
		if (sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof(to)) != 1)
			perror("sendto");
		if (n % 2 == 0)
			pause_some((unsigned)(n + i));
	}
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0, count = argc > 2 ? atoi(argv[2]) : 0;

	for (int i = 1; i <= n; i++) {
		if (fork())
			continue;
		send_all(i, count);
		return 0;
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
