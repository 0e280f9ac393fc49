/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(99999999999999999999); }
