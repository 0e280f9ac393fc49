/* args: -r tests/pcap/empty.pcap -q -x errtags */
int a[self int]; BEGIN { }
