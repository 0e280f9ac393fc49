/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @a[1] = count(); printa("%d %d %@d", @a); }
