/* args: -r tests/pcap/empty.pcap -q -x errtags */
void x; BEGIN { }
