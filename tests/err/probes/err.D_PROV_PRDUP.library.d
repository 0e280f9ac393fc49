/* args: -r tests/pcap/empty.pcap -q -x errtags */
provider ip { probe send(int x); }; BEGIN { }
