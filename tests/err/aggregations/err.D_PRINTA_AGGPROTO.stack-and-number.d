/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @a[stack()] = count(); @b[1] = count(); printa(@a, @b); }
