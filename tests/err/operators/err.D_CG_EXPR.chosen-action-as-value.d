/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { this->n = 1 ? stack() : 0; }
