/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	@["b"] = sum(2); @["a"] = sum(2); @["c"] = sum(-1); @["d"] = sum(10); @["aa"] = sum(2);
}
