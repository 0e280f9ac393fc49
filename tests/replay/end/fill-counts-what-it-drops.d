/* args: -q -b 100 -x bufpolicy=fill -x strict -r tests/pcap/demo.pcap */
/* A record of 8 bytes for each packet: 12 fit. The next one ends the run, also with several processes. */
ip:::send, ip:::receive { @ = count(); printf("x\n"); }
END { printa("counted %@d\n", @); }
