/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { x = 1; trace(x.y); }
