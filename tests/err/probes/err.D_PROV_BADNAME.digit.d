/* args: -r tests/pcap/empty.pcap -q -x errtags */
provider mine2 { probe a(int); };
BEGIN { }
