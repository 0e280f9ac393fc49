/* args: -r tests/pcap/cutng.pcapng -q */
ip:::receive { printf("packet %d\n", args[2]->ip_plength); @ = count(); }
