/* args: -r tests/pcap/nano.pcap -q */
#pragma D option stackindent=4
#pragma D option stackframes=3
BEGIN { @[sizeof(int), stack()] = max(4); setopt("stackindent", "0"); setopt("stackindent", "x"); setopt("stackframes", "4"); }
