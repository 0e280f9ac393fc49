/* args: -r tests/pcap/empty.pcap -q -x defaultargs */
BEGIN { printf("%d '%s'\n", $1, $$2); } 
