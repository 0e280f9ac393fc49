/* args: -r tests/pcap/empty.pcap -q -x errtags */
typedef int t[-1]; BEGIN { }
