/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%d %d ", epid, id); }
END { printf("%d %d\n", epid, id); }
BEGIN { printf("%d %d\n", epid, id); }
