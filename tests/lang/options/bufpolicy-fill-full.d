/* args: -q -b 100 -x bufpolicy=fill -r tests/pcap/udp.pcap */
/* ways: replay checked */
/* A record of 16 bytes for each packet: six fit. */
udp:::send { printf("%d\n", ++n); }
END { printf("the packet after them, %d, ended it\n", n); }
