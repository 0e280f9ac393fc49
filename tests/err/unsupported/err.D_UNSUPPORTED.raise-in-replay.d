/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { raise(2); }
