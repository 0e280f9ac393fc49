/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive { @c = count(); @q = quantize(args[2]->ip_plength); @m[args[2]->ip_ver] = min(args[2]->ip_plength); }
tick-1s { printa("%@d ", @c); clear(@c); clear(@q); clear(@m); }
