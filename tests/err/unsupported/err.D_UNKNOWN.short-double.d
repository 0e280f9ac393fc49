/* args: -r tests/pcap/empty.pcap -q -x errtags */
short double x; BEGIN { }
