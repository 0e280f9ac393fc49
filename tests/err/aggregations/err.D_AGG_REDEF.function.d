/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @a = count(); @a = sum(1); }
