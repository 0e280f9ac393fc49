/* args: -r tests/pcap/empty.pcap -q -x errtags */
static int x; BEGIN { }
