/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%'d\n", 1234567); }
