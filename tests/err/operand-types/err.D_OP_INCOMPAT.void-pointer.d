/* args: -r tests/pcap/empty.pcap -q -x errtags */
void *p; BEGIN { trace(p + 1); }
