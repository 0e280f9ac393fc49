/* args: -q -r tests/pcap/demo.pcap -x defaultargs */
/*
 * How the scripts of the DTraceToolkit and of the books take options: inline integers that a shell
 * script fills in, macro arguments that may be missing, and a heading that is printed again.
 */
inline int OPT_time = 1;
inline int OPT_zone = 0;
inline int OPT_name = 0;
inline int TOP = 2;
inline int SCREEN = 3;
inline string NAME = "none";

dtrace:::BEGIN
{
	/* print optional headings */
	OPT_time ? printf("%-8s ", "TIME") : 1;
	OPT_zone ? printf("%-10s ", "ZONE") : 1;
	printf("%5s %s\n", "N", $$1 == "" ? "NO-ARGUMENT" : $$1);
	$1 ? printf("argument %d\n", $1) : printf("default %d\n", 7);
	lines = SCREEN;
	first = 1;
	wanted = $$1 == "" ? NAME : $$1;
	limit = $2 == 0 ? 5 : $2;
}

dtrace:::BEGIN
/OPT_name == 0 || NAME == "none"/
{
	self->start = timestamp;
	self->ok = 1;
}

dtrace:::BEGIN
/self->ok/
{
	this->elapsed = timestamp - self->start;
	this->zone = OPT_zone ? zonename : "global";
	printf("%s %s\n", this->elapsed >= 0 ? "timed" : "never", this->zone);
	self->start = 0;
	self->ok = 0;
}

profile:::tick-20ms
/lines >= SCREEN/
{
	printf("%s%5s %s\n", first ? "" : "\n", "COUNT", wanted);
	lines = 0;
	first = 0;
}

profile:::tick-20ms
{
	counts++;
	lines++;
	@total["ticks"] = count();
	@total[counts % 2 ? "odd" : "even"] = count();
	OPT_time ? printf("%-8s ", "-") : 1;
	OPT_zone ? printf("%-10s ", stringof(zonename)) : 1;
	printf("%5d of %d\n", counts, limit);
}

profile:::tick-20ms
/counts >= limit/
{
	exit(0);
}

dtrace:::END
{
	TOP ? trunc(@total, TOP) : 1;
	OPT_zone ? printa("zone %s %@d\n", @total) : printa("%s %@d\n", @total);
}
