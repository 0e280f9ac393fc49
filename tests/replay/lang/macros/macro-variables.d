/* args: -r tests/pcap/empty.pcap -q 12 "ab c" */
BEGIN { printf("%d %s %s %d\n", $1, $$1, $$2, $1 + 1); } 
