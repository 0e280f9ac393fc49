/* args: -r tests/pcap/nano.pcap -q */
BEGIN, END, ip:::send { printf("%s:%s:%s:%s %d\n", probeprov, probemod, probefunc, probename, id); }
