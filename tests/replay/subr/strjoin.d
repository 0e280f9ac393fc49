/* args: -r tests/pcap/udp.pcap -q */
BEGIN { printf("%s|%s|%s\n", strjoin("a", "b"), strjoin("", "x"), strjoin(strjoin("1", "2"), strjoin("3", "4"))); }
ip:::receive { @[strjoin(args[2]->ip_saddr, strjoin(" to ", args[2]->ip_daddr))] = count(); }
END { printa("%s %@d\n", @); }
