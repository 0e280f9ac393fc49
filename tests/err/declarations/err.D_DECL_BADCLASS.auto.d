/* args: -r tests/pcap/empty.pcap -q -x errtags */
auto int x; BEGIN { }
