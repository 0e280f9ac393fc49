/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(uregs[100]); }
