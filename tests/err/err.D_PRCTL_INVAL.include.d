/* args: -r tests/pcap/empty.pcap -q -x errtags */
#include <stdio.h>
BEGIN { }
