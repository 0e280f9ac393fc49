/* args: -r tests/pcap/ifaces.pcapng -q */
BEGIN { start = timestamp; }
ip:::receive { printf("%s %d\n", args[3]->if_name, (timestamp - start) / 1000000); }
