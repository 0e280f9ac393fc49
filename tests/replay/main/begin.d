/* args: -r tests/pcap/udp.pcap */
BEGIN { printf("%d %s %x\n", 6 * 7, execname, pid); exit(3); }
