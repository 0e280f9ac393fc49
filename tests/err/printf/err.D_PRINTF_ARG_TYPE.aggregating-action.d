/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @ = count(); printa("%@s", @); }
