/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { if (trace(1)) x = 1; }
