/* args: -r tests/pcap/empty.pcap -q -x errtags */
unsigned float f; BEGIN { }
