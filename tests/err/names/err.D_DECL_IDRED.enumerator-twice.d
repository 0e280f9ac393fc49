/* args: -r tests/pcap/empty.pcap -q -x errtags */
enum a { RED }; enum b { RED }; BEGIN { }
