/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(xlate <ipinfo_t> (1)); }
