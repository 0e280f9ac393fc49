/* args: -r tests/pcap/empty.pcap -q -x errtags */
enum a { IPPROTO_TCP }; BEGIN { }
