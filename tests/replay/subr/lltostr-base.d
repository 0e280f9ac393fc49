/* args: -r tests/pcap/empty.pcap -q */
/* Bases are 2 to 36; any other base is an illegal operation. */
BEGIN { printf("%s %s\n", lltostr(5, 2), lltostr(35, 36)); }
BEGIN { printf("%s\n", lltostr(5, 1)); }
BEGIN { this->b = 37; printf("%s\n", lltostr(5, this->b)); }
BEGIN { this->b = -2; printf("%s\n", lltostr(5, this->b)); }
BEGIN { this->b = 3; printf("%s\n", lltostr(5, this->b)); }
