/* args: -r tests/pcap/nano.pcap -q */
BEGIN { printf("%d %d %d\n", strlen("abc"), strlen(""), strlen(probename)); }
ip:::receive { printf("%d ", strlen(args[2]->ip_saddr)); }
END { printf("%d\n", strlen(strjoin("ab", "cde"))); }
