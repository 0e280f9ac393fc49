/* args: -r tests/pcap/udp.pcap */
BEGIN { trace(1); } ip:::receive { trace(args[2]->ip_plength); } END { printf("end"); }
