/* args: -r tests/pcap/empty.pcap -q */
/* The first use sets the width of a key: later values are truncated to it and shown in it. */
BEGIN { @["int", (int32_t)1] = count(); @["int", (int64_t)1] = count(); @["int", (char)1] = count(); }
BEGIN { @cut[(int32_t)7] = count(); @cut[0x100000007] = count(); }
BEGIN { @wide[(int64_t)1] = count(); @wide[(int32_t)1] = count(); }
END { printa(@); printa(@cut); printa(@wide); }
