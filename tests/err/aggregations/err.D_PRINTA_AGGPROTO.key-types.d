/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @a[1] = count(); @b["x"] = count(); printa(@a, @b); }
