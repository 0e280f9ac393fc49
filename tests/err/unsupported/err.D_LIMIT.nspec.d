/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D option nspec=16385
BEGIN { x = speculation(); }
