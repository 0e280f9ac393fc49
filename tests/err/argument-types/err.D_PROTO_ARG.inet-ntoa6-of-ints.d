/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(inet_ntoa6((int *)alloca(16))); }
