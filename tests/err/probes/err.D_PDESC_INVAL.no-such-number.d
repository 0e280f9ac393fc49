/* args: -r tests/pcap/empty.pcap -q -x errtags */
99999999 { }
