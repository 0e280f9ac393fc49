/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @a = count(); x = cpu ? @a : @a; }
