/* args: -q -r tests/pcap/demo.pcap */
/* A list of probes means the same as a pattern: an argument that one of them lacks is NULL there. */
tcp:::state-change, tcp:::send
{
	@guard[probename, args[2] != NULL ? args[2]->ip_ver : 99] = count();
	@plain[probename, args[2]->ip_plength > 0, args[4]->tcp_flags != 0] = count();
	this->to = args[2] != NULL ? args[2]->ip_daddr : "none";
	@text[this->to == "none" ? "none" : "address"] = count();
}
END { printa("guard %s %d %@d\n", @guard); printa("plain %s %d %d %@d\n", @plain); printa("text %s %@d\n", @text); }
