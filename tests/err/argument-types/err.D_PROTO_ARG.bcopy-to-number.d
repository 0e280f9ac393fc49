/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { bcopy("abc", 5, 3); }
