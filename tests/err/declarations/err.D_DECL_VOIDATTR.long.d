/* args: -r tests/pcap/empty.pcap -q -x errtags */
long void *p; BEGIN { }
