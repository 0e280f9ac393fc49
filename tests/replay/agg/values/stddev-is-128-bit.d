/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = stddev(4000000000000000000); @ = stddev(-4000000000000000000); }
