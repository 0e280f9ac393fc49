/* args: -r tests/pcap/empty.pcap -q */
BEGIN { ; printf("a");; printf("b") ; ; } END { printf("c\n") }
