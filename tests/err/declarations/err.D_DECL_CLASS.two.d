/* args: -r tests/pcap/empty.pcap -q -x errtags */
self this int x; BEGIN { }
