/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @a[1, 2] = count(); @b[1] = count(); printa(@a, @b); }
