/* args: -r tests/pcap/empty.pcap -q */
1 { printf("begin "); } 2 { printf("end\n"); }
