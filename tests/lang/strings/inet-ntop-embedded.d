/* args: -q */
/* inet_ntop() prints how an IPv6 address embeds an IPv4 address; inet_ntoa6() prints the IPv4 address alone. */
string kept[int], by[string];
uint8_t p[16];

BEGIN
{
	p[10] = 0xff; p[11] = 0xff; p[12] = 10; p[15] = 7;
	printf("%s %s\n", inet_ntop(AF_INET6, p), inet_ntoa6(p));
	kept[1] = inet_ntop(AF_INET6, p);
	this->s = inet_ntop(AF_INET6, p);
	printf("%s %s %d\n", kept[1], this->s, kept[1] == this->s);
	printf("%d %d\n", strlen(kept[1]), strlen(inet_ntop(AF_INET6, p)));
	printf("%s %s\n", strjoin(this->s, "/96"), substr(kept[1], 2));
}

/* A comparison agrees with the printed text. */
BEGIN
{
	printf("%d%d%d\n", inet_ntop(AF_INET6, p) == "::ffff:10.0.0.7", kept[1] == "::ffff:10.0.0.7",
	    inet_ntoa6(p) == "10.0.0.7");
	printf("%d%d%d\n", inet_ntop(AF_INET6, p) == "10.0.0.7", kept[1] == "10.0.0.7",
	    inet_ntoa6(p) == "::ffff:10.0.0.7");
	printf("%d%d\n", inet_ntop(AF_INET6, p) == inet_ntoa6(p), inet_ntop(AF_INET6, p) == kept[1]);
	by["::ffff:10.0.0.7"] = "found";
	printf("%s %s\n", by[inet_ntop(AF_INET6, p)], by[inet_ntoa6(p)] == "" ? "another key" : "the same key");
}

/* cidr() and net() use the embedded IPv4 address. */
BEGIN
{
	printf("%d%d%d\n", cidr(kept[1], "10.0.0.0/8"), cidr(inet_ntop(AF_INET6, p), "10.0.0.0/8"),
	    cidr(kept[1], "::/0"));
	printf("%s %s\n", net(kept[1], 8), net(inet_ntop(AF_INET6, p), 31));
	@["ntop", inet_ntop(AF_INET6, p)] = count();
	@["ntop", kept[1]] = count();
	@["ntop", "::ffff:10.0.0.7"] = count();
	@["ntoa6", inet_ntoa6(p)] = count();
}

/* IPv4-compatible addresses. "::" and "::1" are not. */
BEGIN
{
	p[10] = 0; p[11] = 0;
	by["10.0.0.7"] = "of IPv4";
	printf("%s %s %s\n", inet_ntop(AF_INET6, p), inet_ntoa6(p), by[inet_ntoa6(p)]);
	printf("%d%d\n", inet_ntop(AF_INET6, p) == "::10.0.0.7", inet_ntop(AF_INET6, p) == "10.0.0.7");
	kept[1] = inet_ntop(AF_INET6, p);
	printf("%s %d\n", strjoin(kept[1], ""), strlen(kept[1]));
	@["ntoa6", inet_ntoa6(p)] = count();
	p[12] = 0; p[15] = 1;
	printf("%s %d%d\n", inet_ntop(AF_INET6, p), inet_ntoa6(p) == "0.0.0.1", inet_ntoa6(p) == "::1");
	p[0] = 0xfe; p[1] = 0x80;
	kept[1] = inet_ntop(AF_INET6, p);
	printf("%s %s %d%d\n", kept[1], strjoin(kept[1], "/10"), kept[1] == "fe80::1", kept[1] == inet_ntoa6(p));
	exit(0);
}
