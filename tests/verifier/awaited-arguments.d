/* args: -Z */
/* Reads arguments of a static probe that no process has yet; a table gives their locations. */
never*:::nothing
/arg0 > 1/
{
	@[copyinstr(arg1), probename] = sum(arg2 + arg3 * arg4);
	printf("%d %d %d %d %d", arg5, arg6, arg7, arg8, arg9);
}

never*:::other,
never*:::third
{
	@q[probename] = quantize(arg0);
	trace(arg1);
}
