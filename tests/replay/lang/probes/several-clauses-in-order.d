/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("1"); }
END { printf("5"); }
BEGIN /1/ { printf("2"); }
BEGIN /0/ { printf("x"); }
BEGIN { printf("3 "); printf("4 "); }
END { printf("6\n"); }
