/* args: -r tests/pcap/times.pcap -q */
ip::: { @[probename] = count(); }
i?:kernel::rec* { @["glob"] = count(); }
ip:vmlinux:: { @["alias"] = count(); }
ip:kernel:none:send { @["full"] = count(); }
:::receive { /* also replay's own probes */ @["name"] = count(); }
END { printa("%s %@d\n", @); }
