/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { bcopy(1, alloca(8), 8); }
