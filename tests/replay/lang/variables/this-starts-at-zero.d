/* args: -r tests/pcap/times.pcap -q */
this int x;

ip:::receive { printf("%d", this->x); this->x += 7; }
ip:::receive { printf("%d ", this->x); }
