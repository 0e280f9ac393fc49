/* args: -r tests/pcap/empty.pcap -q -x errtags */
enum `task { READY }; BEGIN { }
