/* args: -r tests/pcap/empty.pcap -q */
#line 10 "other.d"
#ident "version"
BEGIN { printf("ok\n"); }
