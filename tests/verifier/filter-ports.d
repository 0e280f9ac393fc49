/* args: -x filter='tcp port 443 and host 10.0.0.1' */
ip:::send, ip:::receive, ip:::drop, tcp:::send, tcp:::receive, udp:::send, udp:::receive { @[probename] = count(); }
