/* args: -r tests/pcap/empty.pcap -q -x errtags */
tick-99999999999d { exit(0); }
