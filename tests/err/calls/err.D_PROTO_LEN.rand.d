/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { rand(1); }
