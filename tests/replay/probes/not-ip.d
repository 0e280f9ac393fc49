/* args: -r tests/pcap/noip.pcap -q */
ip:::receive { @ = count(); } END { printa("%@d\n", @); }
