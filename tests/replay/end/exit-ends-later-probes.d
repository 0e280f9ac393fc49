/* args: -r tests/pcap/seconds.pcap -q */
/* The packet fires ip:::receive, then the tracepoint on which that is built: it comes too late. */
ip:::receive { @["receive"] = count(); exit(0); }
rawtp:::netif_receive_skb { @["tracepoint"] = count(); }
END { @["end"] = count(); }
