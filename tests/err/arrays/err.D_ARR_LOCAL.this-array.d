/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { this->a[1] = 1; }
