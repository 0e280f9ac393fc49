/* args: -r tests/pcap/empty.pcap -q */
BEGIN { trace(*(int *)0); }
