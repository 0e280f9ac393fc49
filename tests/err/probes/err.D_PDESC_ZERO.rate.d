/* args: -r tests/pcap/empty.pcap -q -x errtags */
profile-0 { @ = count(); }
