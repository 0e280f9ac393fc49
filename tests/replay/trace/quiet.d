/* args: -r tests/pcap/empty.pcap -q */
BEGIN { trace((int8_t)-5); trace("|"); trace((int16_t)6); trace("|"); trace(7); trace("|"); trace(-8ll); trace("text"); trace((uint8_t)200); }
