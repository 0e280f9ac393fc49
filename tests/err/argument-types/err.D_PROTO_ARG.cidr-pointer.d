/* args: -q -x errtags */
udp:::send { trace(cidr(curthread, "10.0.0.0/8")); }
