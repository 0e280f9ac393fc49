/* args: -r tests/pcap/empty.pcap -q -x errtags */
a:b:c:d:e { }
