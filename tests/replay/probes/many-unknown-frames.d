/* args: -r tests/pcap/manyodd.pcap -q */
/* Frames with many unknown ethertypes do not hide which headers are impossible. */
ip:::receive
{
	@ = count();
}
