/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { printf("%1.2.3d", 1); }
