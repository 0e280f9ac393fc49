/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { commit(1, 2); }
