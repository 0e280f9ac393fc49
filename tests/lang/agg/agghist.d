/* args: -q -x agghist */
/* Each number has a bar, and all bars have one scale. Keys are at the right of their columns. */
BEGIN
{
	@a["one"] = sum(10);
	@a["three"] = sum(30);
	@b[(char)1, 2, "x", (short)3] = count();
	@c["up"] = sum(5);
	@c["down"] = sum(-15);
	@d = count();
	@e["an average"] = avg(4);
	@f["by halves"] = sum(80);
	normalize(@f, 2);
	printa(@a);
	printa("%s %@d\n", @f);
	exit(0);
}
