/* args: -r tests/pcap/seconds.pcap -q */
/* exit() in ip:::receive: the tracepoint probe, which the same packet would fire next, does not fire. */
ip:::receive { @["receive"] = count(); exit(0); }
rawtp:::netif_receive_skb { @["tracepoint"] = count(); }
END { @["end"] = count(); }
