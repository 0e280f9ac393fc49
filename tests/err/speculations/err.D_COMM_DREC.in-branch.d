/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { if (pid) { trace(1); commit(1); } }
