/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D option specsize=1x
BEGIN { x = speculation(); }
