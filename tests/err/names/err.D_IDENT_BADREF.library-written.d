/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { __owner[5] = 7; }
