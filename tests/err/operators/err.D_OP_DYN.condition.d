/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @a = count(); x = 1 ? @a : @a; }
