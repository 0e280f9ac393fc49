/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(lltostr(1, 2, 3)); }
