/* args: -r tests/pcap/empty.pcap -q -x errtags */
enum e { big = 2147483648 }; BEGIN { }
