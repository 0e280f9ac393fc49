/* args: -r tests/pcap/empty.pcap -q */
int a[int];

BEGIN
{
	a[1] = 5;
	a[2] = 6;
	a[1] = 0;
	printf("%d %d %d\n", a[1], a[2], a[3]);
	a[2]++;
	a[2] += 10;
	a[9]--;
	printf("%d %d\n", a[2], a[9]);
}
