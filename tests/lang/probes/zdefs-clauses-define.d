/* args: -q -Z */
/* A clause whose probe does not exist defines its aggregations and variables, and never runs. */
nosuch:::start
/execname == "nobody" && self->since == 0/
{
	@calls = count();
	@bytes[probename, pid] = sum(arg0);
	@times["all"] = quantize(arg1);
	self->since = timestamp;
	seen[execname, arg0] = "yes";
	total += arg0;
	name = execname;
	exit(3);
}

nosuch:::done
/seen[execname, arg0] == "yes" && self->since/
{
	@other = max(timestamp - self->since);
	self->since = 0;
}

BEGIN
{
	printf("%d [%s] [%s] %d\n", total, name, seen["a", 1] == NULL ? "none" : "some", self->since);
	name = "set";
	printf("%s %d %d\n", name, sizeof(self->since), sizeof(total));
	exit(0);
}

END
{
	printa("%@d\n", @calls);
	printa("%s %d %@d\n", @bytes);
	printa(@times);
	clear(@calls);
	trunc(@bytes, 2);
	normalize(@other, 1000);
	printf("end\n");
}
