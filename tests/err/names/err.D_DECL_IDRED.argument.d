/* args: -r tests/pcap/empty.pcap -q -x errtags */
int arg3; BEGIN { }
