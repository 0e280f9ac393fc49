/* args: -r tests/pcap/seconds.pcap -q */
BEGIN { exit(0); } ip:::receive { printf("packet\n"); } END { printf("end\n"); }
