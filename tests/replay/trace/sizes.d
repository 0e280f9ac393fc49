/* args: -r tests/pcap/empty.pcap */
BEGIN { trace((int8_t)5); trace((int16_t)6); trace(7); trace(8ll); trace("text"); }
