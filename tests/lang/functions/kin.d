/* progenyof(), parts of a device number, and random numbers. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", progenyof(pid), progenyof(ppid), progenyof(-5), progenyof(2147483647));
	printf("%d %d %d %d\n", getmajor(0x800012), getminor(0x800012), getmajor(0x8fffff), getminor(0x8fffff));
	x = rand();
	same = 1;
	same += rand() == x;
	same += rand() == x;
	same += rand() == x;
	same += rand() == x;
	printf("%d %d %d\n", x >= 0, sizeof(rand()), same < 5);
	exit(0);
}
