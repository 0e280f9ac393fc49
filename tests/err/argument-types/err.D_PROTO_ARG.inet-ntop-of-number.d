/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(inet_ntop(AF_INET, arg0)); }
