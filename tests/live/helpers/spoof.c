/*
 * spoof.c - sends a flood of IPv4 packets with the source addresses of many senders.
 *
 * usage: spoof PACKETS SENDERS
 *
 * The packets go to 127.0.0.1. Their sources count up from 11.0.0.0, and start again after SENDERS.
 * The program fails if the kernel refuses a packet.
 */
#include <arpa/inet.h>
#include <netinet/ip.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { PROTOCOL = 253 /* a number reserved for experiments, so that no protocol answers */ };

int main(int argc, char **argv)
{
	unsigned long n = argc > 2 ? strtoul(argv[1], NULL, 0) : 0;
	unsigned long senders = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	int s = socket(AF_INET, SOCK_RAW, IPPROTO_RAW);
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct iphdr h = {
		.version = 4,
		.ihl = 5,
		.tot_len = htons(sizeof(h)),
		.ttl = 64,
		.protocol = PROTOCOL,
		.daddr = htonl(INADDR_LOOPBACK),
	};

	for (unsigned long i = 0; i < n; i++) {
		h.saddr = htonl(0x0b000000u + (unsigned)(i % senders));
		if (sendto(s, &h, sizeof(h), 0, (struct sockaddr *)&to, sizeof(to)) != sizeof(h)) {
			perror("spoof");
			return 1;
		}
	}
	return 0;
}
