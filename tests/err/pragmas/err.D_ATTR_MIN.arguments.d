/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D option amin=Evolving/Evolving/Common
BEGIN
{
	x = 1;
	y = getminor(1) +
	    (curthread != NULL) + x;
}
