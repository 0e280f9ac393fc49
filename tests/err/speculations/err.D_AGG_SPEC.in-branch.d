/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { if (pid) speculate(1); if (pid) @ = count(); }
