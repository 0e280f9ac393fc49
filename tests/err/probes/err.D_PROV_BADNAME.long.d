/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { }
provider a123456789_123456789_123456789_123456789_123456789_123456789_123456789_ { probe a(int); };
