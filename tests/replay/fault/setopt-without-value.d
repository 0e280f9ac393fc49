/* args: -r tests/pcap/empty.pcap -q */
BEGIN { setopt("nosuch"); setopt("nosuch", "x"); }
