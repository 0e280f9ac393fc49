/* args: -r tests/pcap/empty.pcap -q -x errtags */
#include <x.h>
BEGIN { }
