/* args: -q -x errtags */
udp:::send { trace(cidr("localhost", "10.0.0.0/8")); }
