/* args: -r tests/pcap/empty.pcap -q -x errtags */
tick-10sek { exit(0); }
