/* args: -r tests/pcap/empty.pcap -q -x errtags */
short char x; BEGIN { }
