/* args: -r tests/pcap/empty.pcap -q -x errtags */
cpuinfo_t *c; BEGIN { trace((c ? curcpu : c)->cpu_id); }
