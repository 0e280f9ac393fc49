/* args: -r tests/pcap/empty.pcap -q -x errtags */
typedef int t; typedef string t; BEGIN { }
