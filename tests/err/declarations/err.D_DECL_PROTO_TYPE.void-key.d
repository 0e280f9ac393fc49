/* args: -r tests/pcap/empty.pcap -q -x errtags */
int a[int, void]; BEGIN { }
