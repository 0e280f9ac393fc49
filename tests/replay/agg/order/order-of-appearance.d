/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @z = count(); @b = sum(2); }
END { @a = sum(3); @b = sum(2); }
