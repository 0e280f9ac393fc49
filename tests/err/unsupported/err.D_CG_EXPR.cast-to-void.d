/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { (void)trace(1); }
