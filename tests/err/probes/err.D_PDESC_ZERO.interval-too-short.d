/* args: -r tests/pcap/empty.pcap -q -x errtags */
tick-100us { }
