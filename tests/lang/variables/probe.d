/* The names and numbers of the probe, and the sizes of variables that have no declaration. */
#pragma D option quiet

BEGIN
{
	printf("%s:%s:%s:%s %d %d\n", probeprov, probemod, probefunc, probename, id, epid);
	began = timestamp;
}

BEGIN
{
	printf("%d %d %d\n", id, epid, timestamp >= began);
	printf("%d %d %d\n", sizeof(timestamp), sizeof(walltimestamp), sizeof(id));
	printf("%d %d %d %d\n", arg0, arg1, arg2, arg9);
	printf("%d %d %d %d %d\n", sizeof(pid), sizeof(ppid), sizeof(tid), sizeof(uid), sizeof(gid));
	printf("%d %d\n", sizeof(arg0), sizeof(errno));
	exit(0);
}

END
{
	printf("%s %d\n", probename, id);
}
