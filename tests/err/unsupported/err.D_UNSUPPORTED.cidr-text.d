/* args: -q -x errtags */
udp:::send { trace(cidr(execname, "10.0.0.0/8")); }
