/* args: -r tests/pcap/empty.pcap -q -x errtags */
enum e { big = 2147483647, bigger }; BEGIN { }
