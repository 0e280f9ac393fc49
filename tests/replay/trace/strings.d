/* args: -r tests/pcap/empty.pcap */
BEGIN { trace(""); trace(probename); trace("a longer text than thirty-three characters"); }
