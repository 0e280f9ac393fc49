/* args: -r tests/pcap/empty.pcap -q -x errtags */
#pragma D option amin=Evolving/Evolving/Common
BEGIN
{
	x = 1;
	y = mutex_owned((struct mutex *)0) + x;
	trace(curthread != NULL);
}
