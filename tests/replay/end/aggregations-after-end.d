/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive { @ = count(); } END { printf("end"); @ = count(); }
