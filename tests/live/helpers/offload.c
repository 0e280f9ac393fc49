/*
 * offload.c - turns TCP offloads of a network device on or off.
 *
 * usage: offload DEVICE NAME=0|1...
 *
 * NAME is tso, gso or gro.
 */
#include <err.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static const struct {
	const char *name;
	unsigned command;
} features[] = {{"tso=", ETHTOOL_STSO}, {"gso=", ETHTOOL_SGSO}, {"gro=", ETHTOOL_SGRO}};

static void set(int s, const char *device, const char *arg)
{
	struct ethtool_value v = {0};
	struct ifreq r = {.ifr_data = (void *)&v};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", device);
	for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++) {
		if (strncmp(arg, features[i].name, 4))
			continue;
		v.cmd = features[i].command;
		v.data = atoi(arg + 4);
		if (ioctl(s, SIOCETHTOOL, &r))
			err(1, "%s", arg);
		return;
	}
	errx(2, "no feature: %s", arg);
}

int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (argc < 3 || s < 0)
		errx(2, "usage: see the top of offload.c");
	for (int i = 2; i < argc; i++)
		set(s, argv[1], argv[i]);
	return 0;
}
