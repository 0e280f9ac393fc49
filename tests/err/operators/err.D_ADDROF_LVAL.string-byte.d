/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { s = "a"; trace((long)&s[0]); }
