/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { else x = 1; }
