/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { n = 1; jstack(n); }
