/* args: -q -x confine=off */
#pragma D option destructive
/*
 * Output, also that of commands, is appended to the file until an empty name restores the original
 * output.
 */
BEGIN
{
	printf("shown\n");
	freopen("/tmp/dtrace-%d.%s", $pid, "out");
	printf("kept away\n");
	ftruncate();
	printf("in the file\n");
	system("echo of a command");
	freopen("");
	printf("shown again\n");
	freopen("/tmp/dtrace-%d.%s", $pid, "out");
	printf("behind\n");
	freopen("");
	system("cat /tmp/dtrace-%d.out; rm /tmp/dtrace-%d.out", $pid, $pid);
	freopen("/nonexistent/%s", "x");
	printf("shown still\n");
	exit(0);
}
