/* args: -r tests/pcap/times.pcap */
ip:::send { @ = count(); n++; }
ip:::receive /n == 1/ { clear(@); }
ip:::receive /n == 2/ { trunc(@); }
ip:::receive /n == 3/ { normalize(@, 2); }
ip:::receive /n == 4/ { denormalize(@); exit(0); }
