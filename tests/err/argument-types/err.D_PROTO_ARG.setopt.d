/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { setopt(1); }
