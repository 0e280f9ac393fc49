/* args: -r tests/pcap/addresses.pcap -q */
int n4, one, any, brief, never, other, same;

ip:::receive /args[2]->ip_saddr == "192.0.2.1"/ { n4++; }
ip:::receive /args[2]->ip_saddr == "::1"/ { one++; }
ip:::receive /args[2]->ip_saddr == "::"/ { any++; }
ip:::receive /args[2]->ip_saddr == "1:2:3::5:6:7:8"/ { brief++; }
ip:::receive /args[2]->ip_saddr == "010.0.0.1" || args[2]->ip_saddr == "nonsense"/ { never++; }
ip:::receive /args[2]->ip_saddr != "192.0.2.1"/ { other++; }
ip:::receive /args[2]->ip_saddr == args[2]->ip_daddr/ { same++; }
END { printf("%d %d %d %d %d %d %d\n", n4, one, any, brief, never, other, same); }
