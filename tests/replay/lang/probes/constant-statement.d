/* args: -r tests/pcap/empty.pcap -q */
BEGIN { 1; 2 } END { printf("end\n"); }
