/* args: -r tests/pcap/empty.pcap -q */
BEGIN { n = 5; trace(*(int *)16); n = 6; } BEGIN { printf("%d\n", n); }
