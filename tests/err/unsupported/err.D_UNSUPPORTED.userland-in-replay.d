/* args: -q -r tests/pcap/empty.pcap -x errtags */
BEGIN { trace(*(userland int *)arg0); }
