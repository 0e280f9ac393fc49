/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { speculate(1); if (pid) { speculate(1); } }
