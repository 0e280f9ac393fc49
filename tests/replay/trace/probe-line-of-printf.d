/* args: -r tests/pcap/empty.pcap */
BEGIN { printf("x"); printf("y\n"); } END { printf("z"); }
