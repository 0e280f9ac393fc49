/* args: -r tests/pcap/empty.pcap -q -x errtags */
this int a[int]; BEGIN { }
