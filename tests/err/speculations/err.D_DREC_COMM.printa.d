/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @ = count(); }
END { commit(1); printa(@); }
