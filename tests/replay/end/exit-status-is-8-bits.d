/* args: -r tests/pcap/empty.pcap -q */
BEGIN { exit(259); }
