/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { pid += 1; }
