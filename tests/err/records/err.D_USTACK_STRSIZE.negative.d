/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { ustack(3, -1); }
