/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { self->__key[3] = 7; }
