/* Number constants of the D libraries. In ERROR, arg4 equals the constant of the fault. */
#pragma D option quiet

ERROR
{
	printf("%d %d\n", arg4 == DTRACEFLT_DIVZERO, arg4 == DTRACEFLT_BADADDR);
}

BEGIN
{
	printf("%d %d %d %d %d\n", SIGHUP, SIGKILL, SIGTERM, ECONNREFUSED, ENOENT);
	printf("%d %d %d %d\n", CLD_EXITED, O_WRONLY, B_TRUE, B_FALSE);
	printf("%d %d\n", sizeof(EIO), S_IFDIR == 0040000);
	zero = 0;
}

BEGIN
{
	trace(1 / zero);
}

BEGIN
{
	exit(0);
}
