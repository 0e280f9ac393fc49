/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::send { this->x = args[2]; trace(this->x->ip_ver); }
