/* args: -r tests/pcap/empty.pcap */
BEGIN { trace(-1ll); trace((uint64_t)-1); trace(-1); trace((uint32_t)-1); trace((int16_t)-1); trace((uint16_t)-1); trace((int8_t)-1); trace((uint8_t)-1); }
