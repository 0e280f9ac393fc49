/* args: -r tests/pcap/empty.pcap -q -x aggsortkey -x aggsortkeypos=1 */
BEGIN { @["a", 3] = count(); @["b", 1] = count(); @["c", 2] = count(); }
