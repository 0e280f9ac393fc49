/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { x = printf("a"); }
