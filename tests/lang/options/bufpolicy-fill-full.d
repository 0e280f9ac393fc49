/* args: -q -b 100 -x bufpolicy=fill -r tests/pcap/udp.pcap */
/* ways: replay checked */
/* Each packet has a record of 16 bytes, so six records fit into the buffer. */
udp:::send { printf("%d\n", ++n); }
END { printf("the packet after them, %d, ended it\n", n); }
