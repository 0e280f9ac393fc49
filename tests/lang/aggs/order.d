/* args: -q */
/* Rows sort by value, then by their keys from left to right, integers as unsigned. Also the sort options. */
BEGIN
{
	@[1, "b"] = sum(7); @[1, "a"] = sum(7); @[-1, "z"] = sum(7); @[0, "c"] = sum(-2); @[5, "d"] = sum(100);
	@avg["x"] = avg(10); @avg["x"] = avg(1); @avg["y"] = avg(5); @avg["z"] = avg(6);
	@q["many small"] = quantize(1); @q["many small"] = quantize(1); @q["big"] = quantize(64);
	@second[5, "d"] = sum(1); @second[1, "a"] = sum(9); @second[0, "c"] = sum(5); @second[9, "only"] = sum(3);
	exit(0);
}
END { printa("%d %s %@d\n", @); printf("by key\n"); setopt("aggsortkey"); printa("%d %s %@d\n", @); }
END { setopt("aggsortrev"); printf("reverse\n"); printa("%d %s %@d\n", @); setopt("aggsortkey", "no"); setopt("aggsortrev", "no"); }
END { printf("from the second key\n"); setopt("aggsortkey"); setopt("aggsortkeypos", "1"); printa("%d %s %@d\n", @); }
END { setopt("aggsortkey", "no"); setopt("aggsortkeypos", "0"); printf("averages\n"); printa("%s %@d\n", @avg); }
END { printf("two\n"); printa("%d %s %@d %@d\n", @, @second); setopt("aggsortpos", "1"); printf("by the second\n"); printa("%d %s %@d %@d\n", @, @second); }
END { printa("%s\n", @q); }
