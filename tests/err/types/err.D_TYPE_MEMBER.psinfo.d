/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(curpsinfo->pr_zoneid); }
