/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @[stack()] = count(); printa("%s %@d", @); }
