/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { a[1] = 1; a = 2; }
