/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @a["k"] = min(3); @b["k"] = avg(3); @c["k"] = max(3); @d["k"] = stddev(3); clear(@a); clear(@b); clear(@c); clear(@d); }
END { @a["k"] = min(9); @b["k"] = avg(9); @c["k"] = max(-9); @d["k"] = stddev(9); }
