/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D option nspec=-1
BEGIN { x = speculation(); }
