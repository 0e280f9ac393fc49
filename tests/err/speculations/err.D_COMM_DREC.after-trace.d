/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(1); commit(1); }
