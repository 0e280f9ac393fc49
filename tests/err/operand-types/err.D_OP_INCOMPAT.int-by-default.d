/* args: -r tests/pcap/empty.pcap -q -x errtags */
self x; BEGIN { self->x = "s"; }
