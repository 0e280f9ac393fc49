/* args: -r tests/pcap/empty.pcap -q -x errtags */
cpuinfo_t *c; BEGIN { c = curcpu; }
