/* args: -q -x encoding=utf8 */
/* Bars grow by eighths of a character, except if counts are negative. */
BEGIN
{
	@ = lquantize(0, 0, 2, 1, 31);
	@ = lquantize(1, 0, 2, 1, 69);
	printa("%@d", @);
	@n = lquantize(0, 0, 2, 1, -1);
	printa("%@d", @n);
	exit(0);
}
