/*
 * place.h - functions for programs that make traffic: bring up the loopback device of their network
 * namespace, and run on one CPU.
 */
#ifndef BENCH_PLACE_H
#define BENCH_PLACE_H

#include <err.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static inline void loopback_up(void)
{
	struct ifreq ifr = {.ifr_name = "lo"};
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (s < 0 || ioctl(s, SIOCGIFFLAGS, &ifr))
		err(1, "cannot find the loopback device");
	ifr.ifr_flags |= IFF_UP;
	if (ioctl(s, SIOCSIFFLAGS, &ifr))
		err(1, "cannot bring up the loopback device");
	close(s);
}

static inline void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "cannot run on CPU %d", cpu);
}

#endif
