/* args: -r tests/pcap/empty.pcap -q -x errtags */
int kernel`x; BEGIN { }
