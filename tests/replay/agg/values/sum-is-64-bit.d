/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = sum(0x7fffffff); @ = sum(0x7fffffff); @a = avg(0x7fffffffffffffff); @m = max(0xffffffff); }
