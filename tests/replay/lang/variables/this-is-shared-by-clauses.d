/* args: -r tests/pcap/empty.pcap -q -x checked */
BEGIN { this->x = 7; this->s = "a"; }
BEGIN { printf("%d %s\n", this->x, this->s); this->x++; }
BEGIN { printf("%d\n", this->x); }
END { printf("%d\n", this->x); }
