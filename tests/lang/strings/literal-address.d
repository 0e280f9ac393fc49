/* args: -q */
/* A literal is printed as written, even if it is an address in another notation. */
string s;

BEGIN
{
	printf("%s %s\n", "::ffff:10.0.0.7", "2001:DB8::1");
	trace("0:0::1");
	s = "2001:db8:0::1";
	printf(" %s %d\n", s, strlen(s));
	@["2001:DB8::1"] = count();
	@["2001:db8::1"] = count();
	@["fe80:0::1"] = count();
	printf("%d%d\n", "2001:DB8::1" == "2001:db8::1", s == "2001:db8::1");
	exit(0);
}
