/* args: -r tests/pcap/empty.pcap -q var */
BEGIN { $1 = 4; printf("%d %s\n", $1, $$1); } 
