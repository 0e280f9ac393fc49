/* args: -r tests/pcap/empty.pcap -q -x errtags */
enum e { A = x }; BEGIN { }
