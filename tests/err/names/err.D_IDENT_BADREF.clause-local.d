/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { this->__key = 7; }
