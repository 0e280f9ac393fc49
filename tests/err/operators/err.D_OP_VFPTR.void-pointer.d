/* args: -r tests/pcap/empty.pcap -q -x errtags */
void *p; BEGIN { p++; }
