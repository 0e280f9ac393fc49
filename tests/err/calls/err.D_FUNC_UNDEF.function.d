/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(nosuch(1)); }
