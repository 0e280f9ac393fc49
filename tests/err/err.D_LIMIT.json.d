/* args: -q -r tests/pcap/empty.pcap -x strsize=2k -x errtags */
BEGIN { s = "{}"; s = strjoin(s, s); trace(json(s, "a")); }
