/* args: -q -x errtags */
udp:::send { trace(net(execname, 8)); }
