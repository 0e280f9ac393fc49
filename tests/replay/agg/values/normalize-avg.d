/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = avg(100); @ = avg(201); normalize(@, 10); }
